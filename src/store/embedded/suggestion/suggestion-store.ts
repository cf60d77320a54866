/** Decided domains and answers to suggestions, in `watchlist.db`. */
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import type {
  DecidedDomain,
  NewSuggestionAnswer,
  SuggestionAnswer,
} from '../../../model/detect/suggestion.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import {
  type AnswerRow,
  answerOf,
  type DecidedRow,
  decidedPage,
  rowPosition,
} from '../../detect/rows/suggestion-rows.ts';
import type { DecidedPage, SuggestionStore } from '../../detect/suggestion-store.ts';
import { type Database, write } from '../database.ts';
import type { DetectCalls } from '../detect/detect-calls.ts';
import { uniqueIds } from '../detect/unique-ids.ts';

type Threads = Pick<WorkerClient<DetectCalls, 'write' | 'count'>, 'on'>;

export function suggestionStore(database: Database, threads: Threads): SuggestionStore {
  const answers = new Answers(database);
  return {
    listDecided: threads.on('count', 'listDecided'),
    recordAnswer: threads.on('write', 'recordAnswer'),
    findAnswer: async (accountId, id) => answers.find(accountId, id),
    listAnswers: async (accountId, limit) => answers.list(accountId, limit),
    undoAnswer: threads.on('write', 'undoAnswer'),
  };
}

/** What a worker thread does: all writes, and pages of decided domains. */
export function suggestionCalls(database: Database) {
  const answers = new Answers(database);
  const decided = database.prepare(
    `select number, name as domain, state, discovered_ms, escalated_ms, name_servers, shared,
       (select json_group_array(json_object('monitorId', monitor.id, 'class', reason ->> 'class'))
        from monitor_match join monitor on monitor.number = monitor_match.monitor
        where monitor_match.domain = domain.number and named = 1) as matches
     from domain where account = :accountId and state = :state and listed = 1
       and (discovered_ms, number) < (:discoveredMs, :number)
     order by discovered_ms desc, number desc limit :limit`,
  );
  return {
    async listDecided(
      accountId: string,
      state: DecidedDomain['state'],
      { after, limit }: { readonly after?: string | undefined; readonly limit: number },
    ): Promise<DecidedPage> {
      const rows = decided.all({ accountId, state, limit, ...rowPosition(after) });
      return decidedPage(rows as DecidedRow[], limit);
    },
    recordAnswer: (accountId: string, answer: NewSuggestionAnswer, by: Actor) =>
      write(database, () => answers.record(accountId, answer, by)),
    undoAnswer: (accountId: string, id: WatchlistId, by: Actor) =>
      write(database, () => answers.undo(accountId, id, by)),
  };
}

const answerColumns = `id, suggestion as suggestionId, monitor as monitorId, kind, value, outcome, ignored, kept,
  username as by, at_ms as atMs, undone_by as undoneBy, undone_ms as undoneMs`;

class Answers {
  readonly #newId: () => string;
  readonly #insert;
  readonly #find;
  readonly #list;
  readonly #undo;

  constructor(database: Database) {
    this.#newId = uniqueIds(database, 'suggestion_answer');
    this.#insert = database.prepare(
      `insert into suggestion_answer
         (id, account, suggestion, monitor, kind, value, outcome, username, at_ms, ignored, kept)
       values (:id, :accountId, :suggestionId, :monitorId, :kind, :value, :outcome, :username, :atMs, :ignored, :kept)`,
    );
    this.#find = database.prepare(
      `select ${answerColumns} from suggestion_answer where account = ? and id = ?`,
    );
    this.#list = database.prepare(
      `select ${answerColumns} from suggestion_answer where account = ? order by number desc limit ?`,
    );
    this.#undo = database.prepare(
      `update suggestion_answer set undone_by = :username, undone_ms = :atMs
       where account = :accountId and id = :id and undone_ms is null`,
    );
  }

  record(accountId: string, answer: NewSuggestionAnswer, { username, atMs }: Actor): SuggestionAnswer {
    const id = this.#newId();
    this.#insert.run({ ...answer, id, accountId, username, atMs });
    return { ...answer, id, by: username, atMs, undone: undefined };
  }

  find(accountId: string, id: WatchlistId): SuggestionAnswer | undefined {
    const row = this.#find.get(accountId, id) as AnswerRow | undefined;
    return row && answerOf(row);
  }

  list(accountId: string, limit: number): readonly SuggestionAnswer[] {
    return (this.#list.all(accountId, limit) as AnswerRow[]).map(answerOf);
  }

  undo(accountId: string, id: WatchlistId, by: Actor): SuggestionAnswer | undefined {
    this.#undo.run({ accountId, id, ...by });
    return this.find(accountId, id);
  }
}

/** Decided domains and answers to suggestions in PostgreSQL. */
import { newId } from '../../../model/account/api-key.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import {
  type AnswerRow,
  answerOf,
  type DecidedRow,
  decidedPage,
  rowPosition,
} from '../../detect/rows/suggestion-rows.ts';
import type { SuggestionStore } from '../../detect/suggestion-store.ts';
import { changeAccount } from '../detect/account-lock.ts';
import type { PostgresDatabase, Sql } from '../postgres/database.ts';

export function openSuggestionStore(database: PostgresDatabase): SuggestionStore {
  return {
    async listDecided(accountId, state, { after, limit }) {
      const { discoveredMs, number } = rowPosition(after);
      const rows = await database.read(
        (sql) => sql<DecidedRow[]>`
          select number, name as domain, state, discovered_ms, escalated_ms, name_servers, shared,
            (select coalesce(json_agg(json_build_object('monitorId', monitor.id, 'class', class)), '[]')
             from monitor_match join monitor on monitor.number = monitor_match.monitor
             where monitor_match.domain = watchlist_domain.number and named)::text as matches
          from watchlist_domain where account_id = ${accountId} and state = ${state} and listed
            and (discovered_ms, number) < (${discoveredMs}, ${number})
          order by discovered_ms desc, number desc limit ${limit}`,
      );
      return decidedPage(rows, limit);
    },

    recordAnswer: (accountId, answer, { username, atMs }) =>
      changeAccount(database, accountId, async (sql) => {
        const id = newId();
        const { suggestionId, monitorId, kind, value, outcome, ignored, kept } = answer;
        await sql`
          insert into suggestion_answer
            (id, account_id, suggestion, monitor, kind, value, outcome, username, at_ms, ignored, kept)
          values (${id}, ${accountId}, ${suggestionId}, ${monitorId}, ${kind}, ${value}, ${outcome}, ${username}, ${atMs},
            ${ignored}, ${kept})`;
        return { ...answer, id, by: username, atMs, undone: undefined };
      }),

    async findAnswer(accountId, id) {
      return database.read((sql) => findAnswer(sql, accountId, id));
    },

    async listAnswers(accountId, limit) {
      const rows = await database.read(
        (sql) => sql<AnswerRow[]>`
          select ${answerColumns(sql)} from suggestion_answer where account_id = ${accountId}
          order by number desc limit ${limit}`,
      );
      return rows.map(answerOf);
    },

    undoAnswer: (accountId, id, { username, atMs }) =>
      changeAccount(database, accountId, async (sql) => {
        await sql`
          update suggestion_answer set undone_by = ${username}, undone_ms = ${atMs}
          where account_id = ${accountId} and id = ${id} and undone_ms is null`;
        return findAnswer(sql, accountId, id);
      }),
  };
}

async function findAnswer(sql: Sql, accountId: string, id: WatchlistId) {
  const [row] = await sql<AnswerRow[]>`
    select ${answerColumns(sql)} from suggestion_answer where account_id = ${accountId} and id = ${id}`;
  return row && answerOf(row);
}

function answerColumns(sql: Sql) {
  return sql`id, suggestion as "suggestionId", monitor as "monitorId", kind, value, outcome, ignored, kept,
    username as by, at_ms as "atMs", undone_by as "undoneBy", undone_ms as "undoneMs"`;
}

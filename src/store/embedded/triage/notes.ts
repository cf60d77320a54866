/** Notes on domains, those of decisions included, and who works on a domain. */
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import type { Note } from '../../triage-store.ts';
import type { Database } from '../database.ts';
import { uniqueIds } from '../detect/unique-ids.ts';

interface NoteRow extends Omit<Note, 'decisionId'> {
  readonly decisionId: string | null;
}

export class Notes {
  readonly #newId: () => string;
  readonly #domain;
  readonly #insert;
  readonly #list;
  readonly #assign;

  constructor(database: Database) {
    this.#newId = uniqueIds(database, 'note');
    this.#domain = database.prepare('select number from domain where account = ? and id = ?').pluck();
    this.#insert = database.prepare(
      'insert into note (id, domain, username, at_ms, text) values (:id, :domain, :username, :atMs, :text)',
    );
    this.#list = database.prepare(
      `select id, username as by, at_ms as atMs, text, null as decisionId from note where domain = :domain
       union all
       select decision.id, username, at_ms, note, decision.id from decided_domain
         join decision on decision.number = decision where domain = :domain and note is not null
       order by atMs desc, id limit :limit`,
    );
    this.#assign = database.prepare('update domain set assignee = ? where account = ? and id = ?');
  }

  add(accountId: string, domainId: WatchlistId, text: string, by: Actor): Note | undefined {
    const domain = this.#domain.get(accountId, domainId) as number | undefined;
    if (domain === undefined) return undefined;
    const id = this.#newId();
    this.#insert.run({ id, domain, text, ...by });
    return { id, by: by.username, atMs: by.atMs, text, decisionId: undefined };
  }

  list(accountId: string, domainId: WatchlistId, limit: number): readonly Note[] {
    const domain = this.#domain.get(accountId, domainId) as number | undefined;
    if (domain === undefined) return [];
    const found = this.#list.all({ domain, limit }) as NoteRow[];
    return found.map((note) => ({ ...note, decisionId: note.decisionId ?? undefined }));
  }

  assign(accountId: string, domainId: WatchlistId, assignee: string | undefined): boolean {
    return this.#assign.run(assignee ?? null, accountId, domainId).changes > 0;
  }
}

/** Which clients fetched a blocklist, and when last. Functions that write must be called within a write transaction. */
import { fetchingClientsMax } from '../../../detect/rows/fetching-clients.ts';
import type { BlocklistFetch } from '../../../escalation-store.ts';
import type { Database } from '../../database.ts';

export class BlocklistFetches {
  readonly #put;
  readonly #trim;
  readonly #list;

  constructor(database: Database) {
    this.#put = database.prepare(
      `insert into blocklist_fetched values (:account, :selection, :format, :address, :agent, :atMs, :version)
       on conflict do update set fetched_ms = max(fetched_ms, :atMs), version = max(version, :version)`,
    );
    this.#trim = database.prepare(
      `delete from blocklist_fetched
       where account = :account and selection = :selection and format = :format and (address, agent) not in (
         select address, agent from blocklist_fetched
         where account = :account and selection = :selection and format = :format
         order by fetched_ms desc, address, agent limit ${fetchingClientsMax})`,
    );
    this.#list = database.prepare(
      `select selection, format, address, agent, fetched_ms as atMs, version from blocklist_fetched where account = ?
       order by fetched_ms desc, address, agent`,
    );
  }

  record(accountId: string, { selection, format, address, agent, atMs, version }: BlocklistFetch): void {
    this.#put.run({ account: accountId, selection, format, address, agent, atMs, version });
    this.#trim.run({ account: accountId, selection, format });
  }

  list(accountId: string): readonly BlocklistFetch[] {
    return this.#list.all(accountId) as BlocklistFetch[];
  }
}

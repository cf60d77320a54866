/** Which clients fetched a blocklist, and when last. Functions that write must be called within a write transaction. */
import type { BlocklistFormatName } from '../../../../model/detect/blocklist/format.ts';
import type { BlocklistFetch } from '../../../escalation-store.ts';
import type { Database } from '../../database.ts';

/** Kept for each format of an account, those that fetched last. */
const clientsMax = 20;

export class BlocklistFetches {
  readonly #put;
  readonly #trim;
  readonly #list;

  constructor(database: Database) {
    this.#put = database.prepare(
      `insert into blocklist_fetch values (:account, :format, :address, :agent, :atMs, :version)
       on conflict do update set fetched_ms = max(fetched_ms, :atMs), version = max(version, :version)`,
    );
    this.#trim = database.prepare(
      `delete from blocklist_fetch where account = :account and format = :format and (address, agent) not in (
         select address, agent from blocklist_fetch where account = :account and format = :format
         order by fetched_ms desc, address, agent limit ${clientsMax})`,
    );
    this.#list = database.prepare(
      `select format, address, agent, fetched_ms as atMs, version from blocklist_fetch where account = ?
       order by fetched_ms desc, address, agent`,
    );
  }

  record(accountId: string, { format, address, agent, atMs, version }: BlocklistFetch): void {
    this.#put.run({ account: accountId, format, address, agent, atMs, version });
    this.#trim.run({ account: accountId, format });
  }

  list(accountId: string): readonly BlocklistFetch[] {
    return this.#list.all(accountId) as (BlocklistFetch & { format: BlocklistFormatName })[];
  }
}

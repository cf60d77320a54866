/** When each person last read a list. */
import type { ListVisit } from '../../triage-store.ts';
import type { Database } from '../database.ts';

export class ListVisits {
  readonly #put;
  readonly #find;

  constructor(database: Database) {
    this.#put = database.prepare(
      `insert into list_visit (account, username, list, monitor, at_ms) values (:account, :username, :list, :monitor, :atMs)
       on conflict do update set at_ms = max(at_ms, :atMs)`,
    );
    this.#find = database
      .prepare(
        `select max(at_ms) from list_visit
         where account = :account and username = :username and list = :list and monitor in ('', :monitor)`,
      )
      .pluck();
  }

  record({ atMs, ...visit }: ListVisit & { readonly atMs: number }): void {
    this.#put.run({ ...keyOf(visit), atMs });
  }

  findMs(visit: ListVisit): number | undefined {
    return (this.#find.get(keyOf(visit)) as number | null) ?? undefined;
  }
}

function keyOf({ accountId, username, list, monitorId = '' }: ListVisit) {
  return { account: accountId, username, list, monitor: monitorId };
}

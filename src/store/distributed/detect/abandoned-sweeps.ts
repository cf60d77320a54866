/** Finishes sweeps (`sweeps.ts`) that their node did not. */
import type { PostgresDatabase } from '../postgres/database.ts';
import { applySettings, removeMonitor, removeOwnDomains } from './sweeps.ts';

interface UnfinishedRow {
  readonly account_id: string;
  readonly number: number;
  readonly deleted: boolean;
  readonly updated_ms: number;
}

/** What dead nodes have left undone: unfinished when it was asked for the last time, a minute ago, and still unfinished. */
export class AbandonedSweeps {
  readonly #database: PostgresDatabase;
  #unfinished: ReadonlySet<string> = new Set();

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async finish(): Promise<void> {
    const before = this.#unfinished;
    const monitors = await this.#database.read(
      (sql) => sql<UnfinishedRow[]>`
        select account_id, number, deleted, updated_ms from monitor where deleted or applied_ms < updated_ms order by number`,
    );
    const accounts = await this.#database.read(
      (sql) => sql<{ account_id: string }[]>`select distinct account_id from own_domain where not swept`,
    );
    this.#unfinished = new Set([...monitors.map(nameOf), ...accounts.map(({ account_id }) => account_id)]);
    for (const row of monitors) if (before.has(nameOf(row))) await this.#finishMonitor(row);
    for (const { account_id } of accounts)
      if (before.has(account_id)) await removeOwnDomains(this.#database, account_id);
  }

  async #finishMonitor({ account_id: accountId, number, deleted }: UnfinishedRow): Promise<void> {
    if (deleted) await removeMonitor(this.#database, { accountId, number });
    else await applySettings(this.#database, { accountId, number });
  }
}

/** Of the sweep: that of later settings is another one. */
function nameOf({ account_id, number, updated_ms }: UnfinishedRow): string {
  return `${account_id} ${number} ${updated_ms}`;
}

/** Rows of versions that did not store the values which domains may share. */
import type { DomainFacts } from '../../../model/detect/watchlist.ts';
import type { Database } from '../database.ts';

export class UnfilledRows {
  readonly #names;
  readonly #fill;

  constructor(database: Database) {
    this.#names = database
      .prepare('select distinct name from domain where shared is null order by name limit ?')
      .pluck();
    this.#fill = database.prepare('update domain set shared = ? where name = ? and shared is null');
  }

  names(limit: number): readonly string[] {
    return this.#names.all(limit) as string[];
  }

  fill(facts: readonly { readonly domain: string; readonly shared: DomainFacts['shared'] }[]): void {
    for (const { domain, shared } of facts) this.#fill.run(JSON.stringify(shared ?? {}), domain);
  }
}

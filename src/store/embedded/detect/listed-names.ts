/**
 * Which names are on lists of any account. Names hidden by exclusions count too: a change of their name servers may list them again.
 * Names that no monitor matches any more do not.
 */
import type { DomainState } from '../../../model/detect/watchlist.ts';
import type { DecidedCounts } from '../../watchlist-store.ts';
import type { Database } from '../database.ts';

export class ListedNames {
  readonly #listed;
  readonly #watched;
  readonly #number;
  readonly #decided;

  constructor(database: Database) {
    this.#listed = database.prepare('select 1 from domain where name = ? and matched = 1 limit 1').pluck();
    this.#watched = database
      .prepare(
        "select distinct name from domain where state = 'watched' and matched = 1 and name > ? order by name limit ?",
      )
      .pluck();
    this.#number = database
      .prepare('select number from domain where account = ? and name = ? and matched = 1')
      .pluck();
    this.#decided = database.prepare(
      `select state, exists (select 1 from escalation where escalation.domain = domain.number) as escalated
       from domain where account = ? and name = ?`,
    );
  }

  findNumber(accountId: string, name: string): number | undefined {
    return this.#number.get(accountId, name) as number | undefined;
  }

  countDecided(accountId: string, names: readonly string[]): DecidedCounts {
    const counts = { watched: 0, ignored: 0, escalated: 0 };
    for (const name of names) {
      const row = this.#decided.get(accountId, name) as { state: DomainState; escalated: number } | undefined;
      if (row?.state === 'watched') counts.watched += 1;
      if (row?.state === 'ignored') counts.ignored += 1;
      if (row?.escalated === 1) counts.escalated += 1;
    }
    return counts;
  }

  isListed(name: string): boolean {
    return this.#listed.get(name) !== undefined;
  }

  listWatched(after: string, limit: number): readonly string[] {
    return this.#watched.all(after, limit) as string[];
  }
}

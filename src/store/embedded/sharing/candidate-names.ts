/** Which names a collection begins with: its list, in steps by an index. What changes meanwhile is noted by triggers. */
import { cursorOf, type FoundName, filledAfter } from '../../detect/sharing/collection-cursor.ts';
import type { SharedList } from '../../detect/sharing-store.ts';
import type { Database } from '../database.ts';

export class CandidateNames {
  readonly #blocked;
  readonly #atSameTime;
  readonly #later;
  readonly #ofMonitor;

  constructor(database: Database) {
    this.#blocked = database.prepare(
      `select name, 0 as ms, 0 as number from escalation indexed by escalation_blocked
       where account = :account and type = 'blocked' and name > :name order by name limit :limit`,
    );
    const inState = (condition: string) =>
      database.prepare(
        `select name, discovered_ms as ms, number from domain indexed by domain_list
         where account = :account and state = :state and listed = 1 and ${condition}
         order by discovered_ms, number limit :limit`,
      );
    this.#atSameTime = inState('discovered_ms = :ms and number > :number');
    this.#later = inState('discovered_ms > :ms');
    this.#ofMonitor = database.prepare(
      `select name, 0 as ms, domain.number as number
       from monitor_match join monitor on monitor.number = monitor join domain on domain.number = domain
       where monitor.account = :account and monitor.id = :id and domain > :number order by domain limit :limit`,
    );
  }

  /** `filled` as it was returned, `{}` at first; null where these are the last. */
  next(
    { account, name: list }: { readonly account: string; readonly name: SharedList },
    filled: string,
    limit: number,
  ): { readonly names: readonly string[]; readonly filled: string | null } {
    const found = this.#find(list, { account, limit, ...cursorOf(filled) });
    return { names: found.map(({ name }) => name), filled: filledAfter(found, limit) };
  }

  #find(
    list: SharedList,
    page: FoundName & { readonly account: string; readonly limit: number },
  ): FoundName[] {
    const { account, limit, name, ms, number } = page;
    if (list === 'blocked') return this.#blocked.all({ account, limit, name }) as FoundName[];
    if (list.startsWith('monitor-')) {
      const id = list.slice('monitor-'.length);
      return this.#ofMonitor.all({ account, limit, id, number }) as FoundName[];
    }
    const state = list === 'watched' ? 'watched' : 'new';
    // Two ranges of the index: thousands of domains may be of the same millisecond.
    const same = this.#atSameTime.all({ account, limit, state, ms, number }) as FoundName[];
    if (same.length === limit) return same;
    return [...same, ...(this.#later.all({ account, limit: limit - same.length, state, ms }) as FoundName[])];
  }
}

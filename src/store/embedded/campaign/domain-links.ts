/** What may link the domains on watchlists, and in which accounts campaigns are to be found anew. */

import type { ReadDomain, UnreadDomain } from '../../detect/campaign-store.ts';
import {
  domainLinksOf,
  type LinkedPage,
  type LinkedRow,
  linkedPage,
  storedLinks,
  type UnreadRow,
} from '../../detect/rows/campaign-rows.ts';
import { rowPosition } from '../../detect/rows/suggestion-rows.ts';
import type { Database } from '../database.ts';

export class DomainLinks {
  readonly #unread;
  readonly #stale;
  readonly #save;
  readonly #noteAccounts;
  readonly #note;
  readonly #changedAccounts;
  readonly #noteFound;
  readonly #linked;

  constructor(database: Database) {
    this.#unread = database.prepare(
      'select domain, version, links from domain_link where version > read_version limit ?',
    );
    this.#stale = database.prepare(
      'select domain, version, links from domain_link where read_ms < ? and version = read_version order by read_ms limit ?',
    );
    this.#save = database.prepare(
      'update domain_link set links = :links, read_ms = :nowMs, read_version = :version where domain = :domain',
    );
    this.#noteAccounts = database.prepare(
      `insert into campaign_account (account, version) select account, 1 from domain where name = ? and matched = 1
       on conflict do update set version = version + 1`,
    );
    this.#note = database.prepare(
      'insert into campaign_account (account, version) values (?, 1) on conflict do update set version = version + 1',
    );
    this.#changedAccounts = database.prepare(
      'select account as accountId, version from campaign_account where version > found_version order by account limit ?',
    );
    this.#noteFound = database.prepare(
      'update campaign_account set found_version = max(found_version, ?) where account = ?',
    );
    const ofState = (state: string) => `select * from (
      select number, name as domain, discovered_ms, links from domain join domain_link on domain_link.domain = domain.name
      where account = :accountId and state = '${state}' and listed = 1 and matched = 1
        and (discovered_ms, number) < (:discoveredMs, :number)
      order by discovered_ms desc, number desc limit :limit)`;
    this.#linked = database.prepare(
      `${ofState('new')} union all ${ofState('watched')} order by discovered_ms desc, number desc limit :limit`,
    );
  }

  listUnread(limit: number, readBeforeMs: number): readonly UnreadDomain[] {
    const unread = this.#unread.all(limit) as UnreadRow[];
    const stale = this.#stale.all(readBeforeMs, limit - unread.length) as UnreadRow[];
    return [...unread, ...stale].map(({ links, ...row }) => ({ ...row, links: domainLinksOf(links) }));
  }

  save(read: readonly ReadDomain[], nowMs: number): void {
    for (const { domain, version, links, isChanged } of read) {
      this.#save.run({ domain, version, links: storedLinks(links), nowMs });
      if (isChanged) this.#noteAccounts.run(domain);
    }
  }

  note(accountId: string): void {
    this.#note.run(accountId);
  }

  listChangedAccounts(limit: number): readonly { readonly accountId: string; readonly version: number }[] {
    return this.#changedAccounts.all(limit) as { accountId: string; version: number }[];
  }

  noteFound(accountId: string, version: number): void {
    this.#noteFound.run(version, accountId);
  }

  listLinked(
    accountId: string,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): LinkedPage {
    const { after, limit } = page;
    const rows = this.#linked.all({ accountId, limit, ...rowPosition(after) }) as LinkedRow[];
    return linkedPage(rows, limit);
  }
}

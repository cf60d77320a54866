/** Puts discovered domains on the lists. */
import type { DomainState, MonitorMatch } from '../../../model/detect/watchlist.ts';
import { unicodeOf, unknownFacts } from '../../detect/rows/domain-rows.ts';
import type { Discovery } from '../../watchlist-store.ts';
import type { Database } from '../database.ts';
import { factColumns } from './fact-columns.ts';
import { ListMembership } from './list-membership.ts';
import { Monitors } from './monitors.ts';
import { OwnDomains } from './own-domains.ts';
import { uniqueIds } from './unique-ids.ts';

interface KnownRow {
  readonly number: number;
  readonly state: DomainState;
  /** 0 where no monitor matches it any more. */
  readonly matched: number;
}

export class Discoveries {
  readonly #newId: () => string;
  readonly #monitors: Monitors;
  readonly #ownDomains: OwnDomains;
  readonly #membership: ListMembership;
  readonly #find;
  readonly #insert;
  readonly #restore;
  readonly #insertMatch;

  constructor(database: Database) {
    this.#newId = uniqueIds(database, 'domain');
    this.#monitors = new Monitors(database);
    this.#ownDomains = new OwnDomains(database);
    this.#membership = new ListMembership(database);
    this.#find = database.prepare('select number, state, matched from domain where account = ? and name = ?');
    this.#insert = database.prepare(
      `insert into domain (id, account, name, unicode, tld, discovered_ms, changed_ms,
         active, mx_exists, name_servers, risk_score, risk_status, risk_components, shared)
       values (:id, :account, :name, :unicode, :tld, :discoveredMs, :changedMs,
         :active, :mxExists, :nameServers, :riskScore, :riskStatus, :riskComponents, :shared)`,
    );
    this.#restore = database.prepare(
      `update domain set matched = 1, purge_ms = null, discovered_ms = iif(state = 'new', :discoveredMs, discovered_ms),
         changed_ms = ifnull(max(changed_ms, :changedMs), ifnull(changed_ms, :changedMs)), active = :active, mx_exists = :mxExists,
         name_servers = :nameServers, risk_score = :riskScore, risk_status = :riskStatus, risk_components = :riskComponents,
         shared = :shared
       where number = :number`,
    );
    this.#insertMatch = database.prepare(
      `insert into monitor_match (domain, monitor, excluded, reason) values (?, ?, 0, ?) on conflict do nothing`,
    );
  }

  /**
   * True if the domain is new to the account, or was undecided when its last monitor went. Matches of monitors deleted meanwhile do not
   * count.
   */
  add(discovery: Discovery): boolean {
    const { accountId, domain, discoveredMs } = discovery;
    const matches = discovery.matches.flatMap((match) => this.#withNumber(accountId, match));
    if (matches.length === 0 || this.#ownDomains.covers(accountId, domain)) return false;
    const known = this.#find.get(accountId, domain) as KnownRow | undefined;
    if (known?.matched === 0) this.#restoreDomain(known.number, discovery);
    const number = known?.number ?? this.#insertDomain(discovery);
    let added = 0;
    for (const { monitor, reason } of matches)
      added += this.#insertMatch.run(number, monitor, reason).changes;
    if (added > 0) this.#membership.update(number, discoveredMs);
    return known === undefined || (known.matched === 0 && known.state === 'new');
  }

  /** A domain that was forgotten or remembered comes back with its id, and with what was decided about it. */
  #restoreDomain(number: number, { discoveredMs, changedMs, facts }: Discovery): void {
    const columns = factColumns(facts ?? unknownFacts);
    this.#restore.run({ number, discoveredMs, changedMs: changedMs ?? null, ...columns });
  }

  #insertDomain({ accountId, domain, tld, discoveredMs, changedMs, facts }: Discovery): number {
    const { lastInsertRowid } = this.#insert.run({
      id: this.#newId(),
      account: accountId,
      name: domain,
      unicode: unicodeOf(domain),
      tld,
      discoveredMs,
      changedMs: changedMs ?? null,
      ...factColumns(facts ?? unknownFacts),
    });
    return Number(lastInsertRowid);
  }

  #withNumber(accountId: string, { monitorId, reason }: MonitorMatch) {
    const monitor = this.#monitors.findNumber(accountId, monitorId);
    return monitor === undefined ? [] : [{ monitor, reason: JSON.stringify(reason) }];
  }
}

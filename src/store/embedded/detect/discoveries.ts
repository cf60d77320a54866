/** Puts discovered domains on the lists. */
import { domainToUnicode } from 'node:url';
import type { DomainFacts, MonitorMatch } from '../../../model/detect/watchlist.ts';
import type { Discovery } from '../../watchlist-store.ts';
import type { Database } from '../database.ts';
import { factColumns } from './fact-columns.ts';
import { ListMembership } from './list-membership.ts';
import { Monitors } from './monitors.ts';
import { OwnDomains } from './own-domains.ts';
import { uniqueIds } from './unique-ids.ts';

/** A newly seen domain is assumed to be active until it has a record. */
const unknownFacts: DomainFacts = {
  active: true,
  mxExists: false,
  nameServers: [],
  riskScore: undefined,
  riskStatus: undefined,
  riskComponents: undefined,
};

export class Discoveries {
  readonly #newId: () => string;
  readonly #monitors: Monitors;
  readonly #ownDomains: OwnDomains;
  readonly #membership: ListMembership;
  readonly #find;
  readonly #insert;
  readonly #insertMatch;

  constructor(database: Database) {
    this.#newId = uniqueIds(database, 'domain');
    this.#monitors = new Monitors(database);
    this.#ownDomains = new OwnDomains(database);
    this.#membership = new ListMembership(database);
    this.#find = database.prepare('select number from domain where account = ? and name = ?').pluck();
    this.#insert = database.prepare(
      `insert into domain (id, account, name, unicode, tld, discovered_ms,
         active, mx_exists, name_servers, risk_score, risk_status, risk_components)
       values (:id, :account, :name, :unicode, :tld, :discoveredMs,
         :active, :mxExists, :nameServers, :riskScore, :riskStatus, :riskComponents)`,
    );
    this.#insertMatch = database.prepare(
      `insert into monitor_match (domain, monitor, excluded, reason) values (?, ?, 0, ?) on conflict do nothing`,
    );
  }

  /** True if the domain is new to the account. Matches of monitors deleted meanwhile do not count. */
  add(discovery: Discovery): boolean {
    const { accountId, domain, discoveredMs } = discovery;
    const matches = discovery.matches.flatMap((match) => this.#withNumber(accountId, match));
    if (matches.length === 0 || this.#ownDomains.covers(accountId, domain)) return false;
    const known = this.#find.get(accountId, domain) as number | undefined;
    const number = known ?? this.#insertDomain(discovery);
    let added = 0;
    for (const { monitor, reason } of matches)
      added += this.#insertMatch.run(number, monitor, reason).changes;
    if (added > 0) this.#membership.update(number, discoveredMs);
    return known === undefined;
  }

  #insertDomain({ accountId, domain, tld, discoveredMs, facts }: Discovery): number {
    const unicode = domain.includes('xn--') ? domainToUnicode(domain) : '';
    const { lastInsertRowid } = this.#insert.run({
      id: this.#newId(),
      account: accountId,
      name: domain,
      unicode: unicode === '' || unicode === domain ? null : unicode,
      tld,
      discoveredMs,
      ...factColumns(facts ?? unknownFacts),
    });
    return Number(lastInsertRowid);
  }

  #withNumber(accountId: string, { monitorId, reason }: MonitorMatch) {
    const monitor = this.#monitors.findNumber(accountId, monitorId);
    return monitor === undefined ? [] : [{ monitor, reason: JSON.stringify(reason) }];
  }
}

/** Finds the domains to report: matches names against the terms of all monitors and applies exclusions and own domains. */
import type { LookalikeMatch } from '../lookalike/match.ts';
import { tldOf } from '../record/tld.ts';
import { findRegistrableDomain } from '../registrable-domain.ts';
import { isExcluded } from './exclusions.ts';
import type { FoundDomain, SearchPlan, SearchTarget } from './name-search.ts';
import type { MonitorMatch } from './watchlist.ts';

export interface LineMatcher {
  /** Names in punycode, one per line; calls `onHit` for names with a match. */
  scanLines(lines: Uint8Array, onHit: (name: string, matches: readonly LookalikeMatch[]) => void): void;
}

type Reason = MonitorMatch['reason'];

interface Finding extends Omit<FoundDomain, 'matches'> {
  readonly reasons: Map<string, Reason>;
}

export class Finder {
  readonly #matcher: LineMatcher;
  /** By term. */
  readonly #wanted: readonly (readonly SearchTarget[])[];
  readonly #ownDomains: ReadonlyMap<string, ReadonlySet<string>>;

  constructor({ terms, targets, ownDomains }: SearchPlan, matcher: LineMatcher) {
    this.#matcher = matcher;
    const byTerm = terms.map((): SearchTarget[] => []);
    for (const one of targets) byTerm[one.term]?.push(one);
    this.#wanted = byTerm;
    this.#ownDomains = new Map([...ownDomains].map(([account, names]) => [account, new Set(names)]));
  }

  /** Each domain once per account. */
  find(lines: Uint8Array): readonly FoundDomain[] {
    const findings = new Map<string, Finding>();
    this.#matcher.scanLines(lines, (name, matches) => this.#add(name, matches, findings));
    return [...findings.values()].map(({ reasons, ...found }) => ({
      ...found,
      matches: [...reasons].map(([monitorId, reason]) => ({ monitorId, reason })),
    }));
  }

  #add(name: string, matches: readonly LookalikeMatch[], findings: Map<string, Finding>): void {
    const domain = findRegistrableDomain(name);
    if (domain === undefined) return;
    for (const { term, ...reason } of matches) {
      for (const { accountId, monitorId, textExclusions } of this.#wanted[term] ?? []) {
        if (this.#isOwn(accountId, name)) continue;
        if (isExcluded({ textExclusions, nameserverExclusions: [] }, [name, reason.name], [])) continue;
        const key = `${accountId} ${domain}`;
        let finding = findings.get(key);
        if (!finding) {
          finding = { accountId, domain, tld: tldOf(domain), reasons: new Map() };
          findings.set(key, finding);
        }
        const known = finding.reasons.get(monitorId);
        if (!known || isBetterReason(reason, known)) finding.reasons.set(monitorId, reason);
      }
    }
  }

  #isOwn(accountId: string, name: string): boolean {
    const own = this.#ownDomains.get(accountId);
    if (!own) return false;
    for (let at = 0; ; ) {
      if (own.has(name.slice(at))) return true;
      const dot = name.indexOf('.', at);
      if (dot < 0) return false;
      at = dot + 1;
    }
  }
}

/** Of several names below one domain, prefers the one nearest to the term, then the shortest. */
function isBetterReason(one: Reason, other: Reason): boolean {
  if (one.distance !== other.distance) return one.distance < other.distance;
  return one.name.length < other.name.length;
}

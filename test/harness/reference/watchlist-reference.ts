/**
 * Reference model of one account's watchlist: plain lists that follow the interface's documentation. It stores no
 * derived state, so every list is computed from the matches. Monitors are numbers here, domains are names.
 */
import { domainToUnicode } from 'node:url';
import { type Exclusions, isExcluded } from '../../../src/model/detect/exclusions.ts';
import type {
  DomainFacts,
  DomainState,
  EscalationType,
  EventKind,
} from '../../../src/model/detect/watchlist.ts';
import type { DomainQuery, RecordChange } from '../../../src/store/watchlist-store.ts';
import { facts as unknownFacts } from '../fixtures/watchlist-fixture.ts';

interface ReferenceMonitor extends Exclusions {
  active: boolean;
}

interface ReferenceDomain {
  readonly name: string;
  /** Position in the order of discovery. */
  readonly came: number;
  discoveredMs: number;
  readonly matches: Set<number>;
  readonly escalations: { type: EscalationType; atMs: number }[];
  state: DomainState;
  announced: boolean;
  facts: DomainFacts;
  changedMs: number | undefined;
  assignedMs: number | undefined;
}

export interface ReferenceEvent {
  readonly kind: EventKind;
  readonly domain: string;
  readonly atMs: number;
  readonly monitors: readonly number[];
}

export class WatchlistReference {
  readonly monitors = new Map<number, ReferenceMonitor>();
  readonly events: ReferenceEvent[] = [];
  readonly #domains = new Map<string, ReferenceDomain>();
  readonly #own = new Set<string>();
  #came = 0;

  create(monitor: number, exclusions: Exclusions): void {
    this.monitors.set(monitor, { ...exclusions, active: true });
  }

  update(monitor: number, change: Partial<ReferenceMonitor>, atMs: number): void {
    const known = this.monitors.get(monitor);
    if (!known) return;
    this.monitors.set(monitor, { ...known, ...change });
    this.#announce(atMs);
  }

  delete(monitor: number): void {
    this.monitors.delete(monitor);
    for (const domain of this.#domains.values()) {
      if (domain.matches.delete(monitor) && domain.matches.size === 0 && domain.state === 'new')
        domain.announced = false;
    }
  }

  own(name: string): void {
    this.#own.add(name);
    for (const domain of this.#domains.values()) {
      if (!isWithin(domain.name, name)) continue;
      domain.matches.clear();
      domain.escalations.length = 0;
      domain.state = 'new';
      domain.announced = false;
      domain.assignedMs = undefined;
    }
  }

  disown(name: string): void {
    this.#own.delete(name);
  }

  discover(name: string, monitors: readonly number[], atMs: number, facts: DomainFacts | undefined): boolean {
    const matches = monitors.filter((monitor) => this.monitors.has(monitor));
    if (matches.length === 0 || [...this.#own].some((own) => isWithin(name, own))) return false;
    const known = this.#domains.get(name);
    const isFound = !known || (known.matches.size === 0 && known.state === 'new');
    if (known?.matches.size === 0) {
      known.facts = facts ?? unknownFacts;
      if (known.state === 'new') known.discoveredMs = atMs;
    }
    for (const monitor of matches) known?.matches.add(monitor);
    if (!known) {
      this.#domains.set(name, {
        name,
        came: ++this.#came,
        discoveredMs: atMs,
        matches: new Set(matches),
        escalations: [],
        state: 'new',
        announced: false,
        facts: facts ?? unknownFacts,
        changedMs: undefined,
        assignedMs: undefined,
      });
    }
    this.#announce(atMs);
    return isFound;
  }

  applyChange({ domain: name, facts, changed }: RecordChange, nowMs: number): void {
    const domain = this.#domains.get(name);
    if (!domain || domain.matches.size === 0) return;
    const wasFull = domain.facts.riskStatus === 'full';
    domain.facts = facts;
    this.#announce(nowMs);
    if (changed) domain.changedMs = Math.max(domain.changedMs ?? 0, changed.atMs);
    if (changed && domain.state === 'watched') this.#addEvent('changed', domain, changed.atMs);
    const isShown = this.#isListed(domain) && domain.state !== 'ignored';
    if (!wasFull && facts.riskStatus === 'full' && isShown) this.#addEvent('risk-full', domain, nowMs);
  }

  triage(names: readonly string[], state: 'watched' | 'ignored', atMs: number): boolean {
    if (!names.every((name) => this.has(name))) return false;
    for (const name of names) this.#decide(this.#domains.get(name) as ReferenceDomain, state, atMs);
    return true;
  }

  escalate(names: readonly string[], type: EscalationType, atMs: number) {
    const domains = [...new Set(names)].map((name) => (this.has(name) ? this.#domains.get(name) : undefined));
    if (domains.includes(undefined)) return 'unknown-ids';
    const known = domains as ReferenceDomain[];
    if (known.some(({ escalations }) => escalations.some((one) => one.type === type)))
      return 'already-escalated';
    for (const domain of known) {
      this.#decide(domain, 'watched', atMs);
      domain.escalations.push({ type, atMs });
      this.#addEvent('escalated', domain, atMs);
    }
    return 'escalated';
  }

  /** Whether a monitor matches it. */
  has(name: string): boolean {
    return (this.#domains.get(name)?.matches.size ?? 0) > 0;
  }

  /** Domains with the monitors they name. */
  list(query: Omit<DomainQuery, 'monitorId'>, monitor?: number): { domain: string; monitors: number[] }[] {
    const all = [...this.#domains.values()].filter(
      (domain) =>
        domain.state === query.state &&
        this.#isListed(domain) &&
        (monitor === undefined || this.#named(domain).includes(monitor)) &&
        isWanted(domain, query),
    );
    const sign = query.descending ? -1 : 1;
    return all
      .sort((one, other) => {
        for (const key of query.sort) {
          const [mine, theirs] = [sortValue(one, key), sortValue(other, key)];
          if (mine === theirs) continue;
          if (mine === undefined) return 1;
          if (theirs === undefined) return -1;
          return sign * (mine - theirs);
        }
        return sign * (one.came - other.came);
      })
      .map((domain) => ({ domain: domain.name, monitors: this.#named(domain) }));
  }

  counts(monitor: number, sinceMs: number) {
    const all = [...this.#domains.values()].filter(
      (domain) => this.#isListed(domain) && this.#named(domain).includes(monitor),
    );
    const isSince = (ms: number | undefined) => ms !== undefined && ms >= sinceMs;
    const watched = all.filter(({ state }) => state === 'watched');
    return {
      new: all.filter(({ state, discoveredMs }) => state === 'new' && isSince(discoveredMs)).length,
      watched: watched.filter(({ assignedMs }) => isSince(assignedMs)).length,
      changed: watched.filter(({ changedMs }) => isSince(changedMs)).length,
      escalated: all.filter(({ escalations }) => escalations.some(({ atMs }) => isSince(atMs))).length,
    };
  }

  blocked(): string[] {
    return [...this.#domains.values()]
      .filter(({ escalations }) => escalations.some(({ type }) => type === 'blocked'))
      .map(({ name }) => name)
      .sort();
  }

  #decide(domain: ReferenceDomain, state: 'watched' | 'ignored', atMs: number): void {
    if (domain.state !== state) domain.assignedMs = atMs;
    domain.state = state;
  }

  #excludes(monitor: number, { name, facts }: ReferenceDomain): boolean {
    const names = [name, domainToUnicode(name)];
    return isExcluded(this.monitors.get(monitor) as ReferenceMonitor, names, facts.nameServers);
  }

  #named(domain: ReferenceDomain): number[] {
    const matches = [...domain.matches].sort((one, other) => one - other);
    const kept = matches.filter((monitor) => !this.#excludes(monitor, domain));
    return kept.length > 0 ? kept : matches;
  }

  #isListed(domain: ReferenceDomain): boolean {
    if (domain.state === 'watched') return domain.matches.size > 0;
    return [...domain.matches].some(
      (monitor) => this.monitors.get(monitor)?.active && !this.#excludes(monitor, domain),
    );
  }

  #announce(atMs: number): void {
    const inOrder = [...this.#domains.values()].sort((one, other) => one.came - other.came);
    for (const domain of inOrder) {
      if (domain.announced || domain.state !== 'new' || !this.#isListed(domain)) continue;
      domain.announced = true;
      this.#addEvent('discovered', domain, atMs);
    }
  }

  #addEvent(kind: EventKind, domain: ReferenceDomain, atMs: number): void {
    this.events.push({ kind, domain: domain.name, atMs, monitors: this.#named(domain) });
  }
}

function isWithin(name: string, own: string): boolean {
  return name === own || name.endsWith(`.${own}`);
}

function sortValue(domain: ReferenceDomain, key: DomainQuery['sort'][number]): number | undefined {
  if (key === 'discovered_date') return domain.discoveredMs;
  return key === 'changed_date' ? domain.changedMs : domain.facts.riskScore;
}

function isWanted(domain: ReferenceDomain, query: Omit<DomainQuery, 'monitorId'>): boolean {
  const { name, facts, escalations, discoveredMs, changedMs = Number.NaN } = domain;
  const holds = <Value>(value: Value | undefined, test: (value: Value) => boolean) =>
    value === undefined || test(value);
  return (
    holds(query.tlds, (tlds) => tlds.some((tld) => name.endsWith(`.${tld}`))) &&
    holds(query.riskRanges, (ranges) =>
      ranges.some(
        ([from, to]) => facts.riskScore !== undefined && from <= facts.riskScore && facts.riskScore <= to,
      ),
    ) &&
    holds(query.mxExists, (exists) => facts.mxExists === exists) &&
    holds(query.active, (active) => facts.active === active) &&
    holds(query.escalationTypes, (types) => escalations.some(({ type }) => types.includes(type))) &&
    holds(query.escalatedSinceMs, (ms) => escalations.some(({ atMs }) => atMs >= ms)) &&
    holds(query.discoveredSinceMs, (ms) => discoveredMs >= ms) &&
    holds(query.discoveredBeforeMs, (ms) => discoveredMs < ms) &&
    holds(query.changedSinceMs, (ms) => changedMs >= ms) &&
    holds(query.changedBeforeMs, (ms) => changedMs < ms) &&
    holds(query.search, (text) => [name, domainToUnicode(name)].some((form) => form.includes(text)))
  );
}

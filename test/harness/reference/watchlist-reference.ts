/**
 * Reference model of one account's watchlist: plain lists that follow the interface's documentation. It stores no
 * derived state, so every list is computed from the matches. Monitors are numbers here, domains are names.
 */
import { domainToUnicode } from 'node:url';
import { type Exclusions, isExcluded } from '../../../src/model/detect/exclusions.ts';
import type {
  DecisionTarget,
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
  assigned: { readonly by: string; readonly atMs: number } | undefined;
}

interface ReferenceChange {
  readonly domain: ReferenceDomain;
  readonly from: DomainState;
  readonly fromAssigned: ReferenceDomain['assigned'];
  readonly escalation: ReferenceDomain['escalations'][number] | undefined;
  isUndone: boolean;
}

interface ReferenceDecision {
  readonly target: DecisionTarget;
  readonly by: string;
  changes: ReferenceChange[];
}

interface Actor {
  readonly username: string;
  readonly atMs: number;
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
  /** Oldest first; those that changed nothing are not in it. */
  readonly decisions: ReferenceDecision[] = [];
  /** Domains whose escalation was undone, in order. */
  readonly withdrawn: string[] = [];
  blocklistChanges = 0;
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
      if (isBlocked(domain)) this.blocklistChanges += 1;
      domain.matches.clear();
      domain.escalations.length = 0;
      domain.state = 'new';
      domain.announced = false;
      domain.assigned = undefined;
      for (const decision of this.decisions)
        decision.changes = decision.changes.filter((change) => change.domain !== domain);
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
        assigned: undefined,
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

  triage(names: readonly string[], state: 'watched' | 'ignored', by: Actor): boolean {
    if (!names.every((name) => this.has(name))) return false;
    this.decide(names, state, by);
    return true;
  }

  escalate(names: readonly string[], type: EscalationType, by: Actor) {
    if (!names.every((name) => this.has(name))) return 'unknown-ids';
    const isEscalated = (name: string) =>
      this.#domains.get(name)?.escalations.some((one) => one.type === type) ?? false;
    if (names.some(isEscalated)) return 'already-escalated';
    this.decide(names, type, by);
    return 'escalated';
  }

  /** Leaves out domains that are unknown and those that it does not change. Returns the names of the others. */
  decide(names: readonly string[], target: DecisionTarget, by: Actor): readonly string[] {
    const changes: ReferenceChange[] = [];
    const { username, atMs } = by;
    for (const name of new Set(names)) {
      const domain = this.#domains.get(name);
      if (!domain || !this.has(name)) continue;
      const type = target === 'watched' || target === 'ignored' ? undefined : target;
      const state = target === 'ignored' ? 'ignored' : 'watched';
      if (type === undefined ? domain.state === state : domain.escalations.some((one) => one.type === type))
        continue;
      const before = { from: domain.state, fromAssigned: domain.assigned };
      if (domain.state !== state) domain.assigned = { by: username, atMs };
      domain.state = state;
      const escalation = type && { type, atMs };
      if (escalation) {
        domain.escalations.push(escalation);
        this.#addEvent('escalated', domain, atMs);
      }
      changes.push({ domain, ...before, escalation, isUndone: false });
    }
    if (changes.length > 0) this.decisions.push({ target, by: username, changes });
    if (changes.length > 0 && target === 'blocked') this.blocklistChanges += 1;
    return changes.map(({ domain }) => domain.name);
  }

  undo(decision: ReferenceDecision, skipConflicts: boolean, atMs: number) {
    const index = this.decisions.indexOf(decision);
    const isLater = ({ domain }: ReferenceChange) =>
      this.decisions
        .slice(index + 1)
        .some(({ changes }) => changes.some((other) => other.domain === domain && !other.isUndone));
    const open = decision.changes.filter(({ isUndone }) => !isUndone);
    const conflicts = open.filter(isLater);
    if (conflicts.length > 0 && !skipConflicts)
      return { conflicts: conflicts.map(({ domain }) => domain.name) };
    const undone = open.filter((change) => !conflicts.includes(change));
    for (const change of undone) this.#putBack(change);
    if (undone.some(({ escalation }) => escalation?.type === 'blocked')) this.blocklistChanges += 1;
    this.#announce(atMs);
    return {
      undone: undone.map(({ domain }) => domain.name),
      kept: conflicts.map(({ domain }) => domain.name),
    };
  }

  #putBack(change: ReferenceChange): void {
    const { domain, from, fromAssigned, escalation } = change;
    change.isUndone = true;
    if (escalation) {
      domain.escalations.splice(domain.escalations.indexOf(escalation), 1);
      this.withdrawn.push(domain.name);
    }
    domain.state = from;
    domain.assigned = fromAssigned;
    if (domain.matches.size === 0 && from === 'new') domain.announced = false;
  }

  /** How many domains each list of triage has. */
  listCounts() {
    const listed = [...this.#domains.values()].filter((domain) => this.#isListed(domain));
    const inState = (state: DomainState) => listed.filter((domain) => domain.state === state);
    const changed = inState('watched').filter(
      ({ changedMs = Number.NaN, assigned }) => changedMs > (assigned?.atMs ?? Number.NaN),
    );
    return {
      new: inState('new').length,
      changed: changed.length,
      watched: inState('watched').length,
      ignored: inState('ignored').length,
      blocked: this.blocked().length,
    };
  }

  /** What was decided about the domains of a list. */
  decided(state: DomainState) {
    return new Map(
      [...this.#domains.values()]
        .filter((domain) => domain.state === state && this.#isListed(domain))
        .map(({ name, assigned, escalations }) => [
          name,
          { assigned, types: escalations.map(({ type }) => type) },
        ]),
    );
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
      watched: watched.filter(({ assigned }) => isSince(assigned?.atMs)).length,
      changed: watched.filter(({ changedMs }) => isSince(changedMs)).length,
      escalated: all.filter(({ escalations }) => escalations.some(({ atMs }) => isSince(atMs))).length,
    };
  }

  blocked(): string[] {
    return [...this.#domains.values()]
      .filter(isBlocked)
      .map(({ name }) => name)
      .sort();
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

function isBlocked({ escalations }: ReferenceDomain): boolean {
  return escalations.some(({ type }) => type === 'blocked');
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

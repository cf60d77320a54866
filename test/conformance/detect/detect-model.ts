/**
 * Random sequences of operations on the Detect stores, compared to a reference model: lists, totals, counts, decisions by two people and
 * their undoing, blocklists and events.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { domainStates, type Monitor } from '../../../src/model/detect/watchlist.ts';
import type { DomainQuery } from '../../../src/store/watchlist-store.ts';
import { query as domainQuery, type Step, steps } from '../../harness/arbitraries/watchlist-arbitraries.ts';
import type { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { WatchlistReference } from '../../harness/reference/watchlist-reference.ts';
import { describeDetectStore, type OpenDetectStores } from './describe-detect-store.ts';

export function detectModelConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as the stores of Detect`, open, (newFixture) => {
    test('any sequence of operations agrees with the reference model', async () => {
      await fc.assert(
        fc.asyncProperty(
          steps,
          fc.array(domainQuery, { minLength: 12, maxLength: 12 }),
          async (sequence, queries) => {
            const both = new StoreAndReference(newFixture());
            for (const [index, step] of sequence.entries()) {
              await both.apply(step);
              if (index % 5 === 0) await both.compare();
            }
            await both.compare();
            for (const query of queries) {
              await both.compareList(query);
              await both.compareListsByMonitor(query);
            }
          },
        ),
        { numRuns: propertyRuns(10) },
      );
    });
  });
}

class StoreAndReference {
  readonly #fixture: WatchlistFixture;
  readonly #model = new WatchlistReference();
  /** The model identifies monitors by their index in this list. */
  readonly #monitors: Monitor[] = [];
  readonly #ids = new Map<string, string>();
  /** Of the store and the model, at the last comparison. */
  #blocklistVersions: readonly [number, number] = [0, 0];
  #nowMs = 0;

  constructor(fixture: WatchlistFixture) {
    this.#fixture = fixture;
  }

  async apply(step: Step): Promise<void> {
    await this.#applyToBoth(step);
    // The id of a domain that left the lists is unknown until it is listed again.
    for (const name of this.#ids.keys()) if (!this.#model.has(name)) this.#ids.delete(name);
  }

  async #applyToBoth(step: Step): Promise<void> {
    const { accountId, ...stores } = this.#fixture;
    this.#nowMs += 1;
    const atMs = this.#nowMs;
    const by = { username: 'ann', atMs };
    // Steps refer to the latest monitors.
    const indexOf = (monitor: number) => Math.max(this.#monitors.length - 1 - monitor, 0);
    if (step.do === 'create') {
      this.#model.create(this.#monitors.length, step.exclusions);
      this.#monitors.push(await this.#fixture.monitor(step.exclusions, atMs));
    } else if (step.do === 'exclude' || step.do === 'activate') {
      const index = indexOf(step.monitor);
      const { id } = this.#monitors[index] as Monitor;
      const change = step.do === 'exclude' ? step.exclusions : { state: stateOf(step.active) };
      const after = await stores.monitors.updateMonitor(accountId, id, change, atMs);
      assert.equal(after !== undefined, this.#model.monitors.has(index));
      this.#model.update(index, step.do === 'exclude' ? step.exclusions : { active: step.active }, atMs);
    } else if (step.do === 'delete') {
      const index = indexOf(step.monitor);
      const { id } = this.#monitors[index] as Monitor;
      const deleted = await stores.monitors.deleteMonitor(accountId, id);
      assert.equal(deleted !== undefined, this.#model.monitors.has(index));
      this.#model.delete(index);
    } else if (step.do === 'own') {
      const change = { add: step.owned ? [step.name] : [], remove: step.owned ? [] : [step.name] };
      await stores.monitors.changeOwnDomains(accountId, change);
      if (step.owned) this.#model.own(step.name);
      else this.#model.disown(step.name);
    } else if (step.do === 'discover') {
      const indexes = [...new Set(step.monitors.map(indexOf))];
      const monitors = indexes.map((index) => this.#monitors[index] as Monitor);
      const found = await stores.watchlist.addDiscoveries(
        step.names.map((name) =>
          this.#fixture.discovery(name, monitors, { discoveredMs: atMs, facts: step.facts }),
        ),
      );
      assert.deepEqual(
        found.map(({ domain }) => domain),
        step.names.filter((name) => this.#model.discover(name, indexes, atMs, step.facts)),
      );
    } else if (step.do === 'change') {
      const { changedMs } = step;
      const changed = changedMs === undefined ? undefined : { atMs: changedMs, fields: ['mx'] };
      const changes = step.names.map((domain) => ({ domain, facts: step.facts, changed }));
      await this.#fixture.applyChanges(changes, atMs);
      for (const each of changes) this.#model.applyChange(each, atMs);
    } else if (step.do === 'undo') {
      await this.#undo(step, atMs);
    } else {
      const ids = step.names.map((name) => this.#ids.get(name) ?? 'unknown');
      if (step.do === 'triage') {
        const outcome = await stores.watchlist.triageDomains(accountId, ids, step.state, by);
        assert.equal('domains' in outcome, this.#model.triage(this.#known(step.names), step.state, by));
      } else if (step.do === 'decide') {
        const decision = { target: step.target, pieceDomains: 2 };
        const actor = { username: step.person, atMs };
        const { changed } = await stores.decisions.decideDomains(accountId, ids, decision, actor);
        assert.deepEqual(
          changed.map(({ domain }) => domain),
          this.#model.decide(this.#known(step.names), step.target, actor),
        );
      } else {
        const { outcome } = await stores.escalations.escalateDomains(accountId, ids, step.type, by);
        assert.equal(outcome, this.#model.escalate(this.#known(step.names), step.type, by));
      }
    }
  }

  async #undo(
    { decision: back, person, skipConflicts }: Extract<Step, { readonly do: 'undo' }>,
    atMs: number,
  ): Promise<void> {
    const { accountId, decisions } = this.#fixture;
    const logged = (await decisions.listDecisions(accountId, { limit: 100 }))[back];
    const known = this.#model.decisions.at(-1 - back);
    assert.equal(logged === undefined, known === undefined);
    if (!logged || !known) return;
    const options = { skipConflicts, pieceDomains: 2 };
    const outcome = await decisions.undoDecision(accountId, logged.id, options, { username: person, atMs });
    const expected = this.#model.undo(known, skipConflicts, atMs);
    if (outcome.outcome === 'conflict') {
      assert.deepEqual({ conflicts: outcome.conflicts.map(({ domain }) => domain) }, expected);
      return;
    }
    assert.ok(outcome.outcome === 'undone');
    assert.deepEqual(
      [outcome.changed.map(({ domain }) => domain), outcome.kept.length],
      [expected.undone, expected.kept?.length],
    );
  }

  async #compareDecisions(): Promise<void> {
    const { accountId, decisions, triageLists, escalations, events } = this.#fixture;
    const logged = await decisions.listDecisions(accountId, { limit: 100 });
    assert.deepEqual(
      logged.map(({ target, by, domains, canUndo }) => ({ target, by, domains, canUndo })),
      this.#model.decisions.toReversed().map(({ target, by, changes }) => ({
        target,
        by,
        domains: changes.length,
        canUndo: changes.some(({ isUndone }) => !isUndone),
      })),
    );
    const series = { fromMs: 0, days: 1 };
    assert.deepEqual((await triageLists.countLists(accountId, series)).lists, this.#model.listCounts());
    const versions = [await escalations.blocklistVersion(accountId), this.#model.blocklistChanges] as const;
    const [rises, changes] = versions.map((now, index) => now - (this.#blocklistVersions[index] ?? 0));
    assert.equal(
      (rises ?? 0) > 0,
      (changes ?? 0) > 0,
      'the version rises whenever the blocklist changes, and only then',
    );
    this.#blocklistVersions = versions;
    const withdrawals = await events.listEvents(accountId, { afterId: 0, limit: 1000, kinds: ['withdrawn'] });
    assert.deepEqual(
      withdrawals.map(({ domain }) => domain),
      this.#model.withdrawn,
    );
    for (const state of domainStates) {
      const { domains } = await this.#fixture.list(state);
      assert.deepEqual(
        new Map(
          domains.map(({ domain, assigned, escalations: all }) => [
            domain,
            { assigned, types: all.map(({ type }) => type) },
          ]),
        ),
        this.#model.decided(state),
      );
    }
  }

  async compare(): Promise<void> {
    await this.#compareDecisions();
    const { accountId, ...stores } = this.#fixture;
    for (const state of domainStates) {
      await this.compareList({ state, sort: ['discovered_date'], descending: true, offset: 0, limit: 100 });
    }
    const sinceMs = Math.floor(this.#nowMs / 2);
    const { monitors } = await this.#fixture.listMonitors({ sort: ['created_date'], countsSinceMs: sinceMs });
    assert.deepEqual(
      monitors.map(({ id, counts }) => [this.#indexOf(id), counts]),
      [...this.#model.monitors.keys()].map((index) => [index, this.#model.counts(index, sinceMs)]),
    );
    const blocked = await stores.escalations.listBlockedDomains(accountId, '', 100);
    assert.deepEqual(
      blocked.map(({ domain }) => domain),
      this.#model.blocked(),
    );
    const events = await stores.events.listEvents(accountId, { afterId: 0, limit: 1000 });
    assert.deepEqual(
      events.map(({ kind, domain, atMs, monitorIds }) => ({
        kind,
        domain,
        atMs,
        monitors: monitorIds.map((id) => this.#indexOf(id)),
      })),
      this.#model.events,
    );
  }

  async compareList(query: Omit<DomainQuery, 'monitorId'>): Promise<void> {
    const all = this.#model.list(query);
    const { total, domains } = await this.#fixture.list(query.state, query);
    for (const { domain, id } of domains) this.#ids.set(domain, id);
    assert.deepEqual(
      [
        total,
        domains.map(({ domain, monitorIds }) => ({
          domain,
          monitors: monitorIds.map((id) => this.#indexOf(id)),
        })),
      ],
      [all.length, all.slice(query.offset, query.offset + query.limit)],
    );
  }

  /** The same list, filtered by each monitor. */
  async compareListsByMonitor(query: Omit<DomainQuery, 'monitorId'>): Promise<void> {
    for (const index of this.#model.monitors.keys()) {
      const monitorId = (this.#monitors[index] as Monitor).id;
      const { total: ofMonitor } = await this.#fixture.list(query.state, { ...query, monitorId });
      assert.equal(ofMonitor, this.#model.list(query, index).length);
    }
  }

  /** A name whose id was never listed is unknown to both. */
  #known(names: readonly string[]): readonly string[] {
    return names.map((name) => (this.#ids.has(name) ? name : 'unknown'));
  }

  #indexOf(id: string): number {
    return this.#monitors.findIndex((monitor) => monitor.id === id);
  }
}

function stateOf(active: boolean): Monitor['state'] {
  return active ? 'active' : 'inactive';
}

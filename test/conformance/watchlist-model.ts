/** Any sequence of operations comes out as in a simple model: lists, totals, counts, blocked names and events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { domainStates, type Monitor } from '../../src/model/detect/watchlist.ts';
import type { DomainQuery } from '../../src/store/watchlist-store.ts';
import { question, type Step, steps } from '../harness/watchlist-arbitraries.ts';
import { WatchlistReference } from '../harness/watchlist-reference.ts';
import type { WatchlistWorld } from '../harness/watchlist-world.ts';
import type { NewWorld } from './watchlist-store.ts';

export function watchlistModel(newWorld: NewWorld): void {
  test('any sequence of operations comes out as in a simple model', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(question, { minLength: 12, maxLength: 12 }),
        async (taken, questions) => {
          const both = new Both(newWorld());
          for (const [index, step] of taken.entries()) {
            await both.take(step);
            if (index % 5 === 0) await both.compare();
          }
          await both.compare();
          for (const query of questions) {
            await both.ask(query);
            await both.askOfMonitors(query);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
}

class Both {
  readonly #world: WatchlistWorld;
  readonly #model = new WatchlistReference();
  /** The model knows monitors by the place in this list. */
  readonly #monitors: Monitor[] = [];
  readonly #ids = new Map<string, string>();
  #nowMs = 0;

  constructor(world: WatchlistWorld) {
    this.#world = world;
  }

  async take(step: Step): Promise<void> {
    await this.#take(step);
    // Found again, a domain has another id.
    for (const name of this.#ids.keys()) if (!this.#model.has(name)) this.#ids.delete(name);
  }

  async #take(step: Step): Promise<void> {
    const { store, accountId } = this.#world;
    this.#nowMs += 1;
    const atMs = this.#nowMs;
    const by = { username: 'ann', atMs };
    // Of those that the steps speak of, the latest ones.
    const placeOf = (monitor: number) => Math.max(this.#monitors.length - 1 - monitor, 0);
    if (step.do === 'create') {
      this.#model.create(this.#monitors.length, step.exclusions);
      this.#monitors.push(await this.#world.monitor(step.exclusions, atMs));
    } else if (step.do === 'exclude' || step.do === 'activate') {
      const place = placeOf(step.monitor);
      const { id } = this.#monitors[place] as Monitor;
      const change = step.do === 'exclude' ? step.exclusions : { state: stateOf(step.active) };
      const after = await store.updateMonitor(accountId, id, change, atMs);
      assert.equal(after !== undefined, this.#model.monitors.has(place));
      this.#model.update(place, step.do === 'exclude' ? step.exclusions : { active: step.active }, atMs);
    } else if (step.do === 'delete') {
      const place = placeOf(step.monitor);
      const { id } = this.#monitors[place] as Monitor;
      assert.equal(await store.deleteMonitor(accountId, id), this.#model.monitors.has(place));
      this.#model.delete(place);
    } else if (step.do === 'own') {
      const change = { add: step.owned ? [step.name] : [], remove: step.owned ? [] : [step.name] };
      await store.changeOwnDomains(accountId, change);
      if (step.owned) this.#model.own(step.name);
      else this.#model.disown(step.name);
    } else if (step.do === 'discover') {
      const places = [...new Set(step.monitors.map(placeOf))];
      const monitors = places.map((place) => this.#monitors[place] as Monitor);
      const found = await store.discover(
        step.names.map((name) =>
          this.#world.discovery(name, monitors, { discoveredMs: atMs, facts: step.facts }),
        ),
      );
      assert.deepEqual(
        found.map(({ domain }) => domain),
        step.names.filter((name) => this.#model.discover(name, places, atMs, step.facts)),
      );
    } else if (step.do === 'news') {
      const { changedMs } = step;
      const changed = changedMs === undefined ? undefined : { atMs: changedMs, fields: ['mx'] };
      const news = step.names.map((domain) => ({ domain, facts: step.facts, changed }));
      await this.#world.news(news, atMs);
      for (const each of news) this.#model.take(each, atMs);
    } else {
      const ids = step.names.map((name) => this.#ids.get(name) ?? 'unknown');
      if (step.do === 'triage') {
        const outcome = await store.triage(accountId, ids, step.state, by);
        assert.equal('domains' in outcome, this.#model.triage(this.#known(step.names), step.state, atMs));
      } else {
        const { outcome } = await store.escalate(accountId, ids, step.type, by);
        assert.equal(outcome, this.#model.escalate(this.#known(step.names), step.type, atMs));
      }
    }
  }

  async compare(): Promise<void> {
    const { store, accountId } = this.#world;
    for (const state of domainStates) {
      await this.ask({ state, sort: ['discovered_date'], descending: true, offset: 0, limit: 100 });
    }
    const sinceMs = Math.floor(this.#nowMs / 2);
    const { monitors } = await this.#world.monitors({ sort: ['created_date'], countsSinceMs: sinceMs });
    assert.deepEqual(
      monitors.map(({ id, counts }) => [this.#placeOf(id), counts]),
      [...this.#model.monitors.keys()].map((place) => [place, this.#model.counts(place, sinceMs)]),
    );
    const blocked = await store.listBlocked(accountId, '', 100);
    assert.deepEqual(
      blocked.map(({ domain }) => domain),
      this.#model.blocked(),
    );
    const events = await store.listEvents(accountId, { afterId: 0, limit: 1000 });
    assert.deepEqual(
      events.map(({ kind, domain, atMs, monitorIds }) => ({
        kind,
        domain,
        atMs,
        monitors: monitorIds.map((id) => this.#placeOf(id)),
      })),
      this.#model.events,
    );
  }

  async ask(query: Omit<DomainQuery, 'monitorId'>): Promise<void> {
    const all = this.#model.list(query);
    const { total, domains } = await this.#world.list(query.state, query);
    for (const { domain, id } of domains) this.#ids.set(domain, id);
    assert.deepEqual(
      [
        total,
        domains.map(({ domain, monitorIds }) => ({
          domain,
          monitors: monitorIds.map((id) => this.#placeOf(id)),
        })),
      ],
      [all.length, all.slice(query.offset, query.offset + query.limit)],
    );
  }

  /** The same list for each monitor. */
  async askOfMonitors(query: Omit<DomainQuery, 'monitorId'>): Promise<void> {
    for (const place of this.#model.monitors.keys()) {
      const monitorId = (this.#monitors[place] as Monitor).id;
      const { total: ofMonitor } = await this.#world.list(query.state, { ...query, monitorId });
      assert.equal(ofMonitor, this.#model.list(query, place).length);
    }
  }

  /** A name whose id nobody has seen is unknown to both. */
  #known(names: readonly string[]): readonly string[] {
    return names.map((name) => (this.#ids.has(name) ? name : 'unknown'));
  }

  #placeOf(id: string): number {
    return this.#monitors.findIndex((monitor) => monitor.id === id);
  }
}

function stateOf(active: boolean): Monitor['state'] {
  return active ? 'active' : 'inactive';
}

/** Random sequences of operations on a risk store, checked against a simple model. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Link } from '../../src/model/risk/proximity/link.ts';
import { verdictLabels } from '../../src/model/risk/verdict.ts';
import type { RiskStore } from '../../src/store/risk-store.ts';
import { RiskReference } from '../harness/reference/risk-reference.ts';

/** Two handles on an empty store, and the changes logged since the last call. */
export interface RiskWorld {
  readonly store: RiskStore;
  readonly other: RiskStore;
  readonly readChanges: () => Promise<readonly string[]>;
}

export type NewWorld = () => Promise<RiskWorld>;

export const address = (value: string): Link => ({ kind: 'address', attribute: 'ip', value });

const someDomain = fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example');
const someSnapshot = fc.record({
  list: fc.constantFrom('one', 'two'),
  label: fc.constantFrom(...verdictLabels),
  weight: fc.constantFrom(0.5, 1),
  id: fc.integer({ min: 1, max: 6 }),
  untilMs: fc.oneof(fc.constant(undefined), fc.nat(30)),
});
const snapshotStep = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    snapshot: someSnapshot,
    domains: fc.array(
      fc.record({ domain: someDomain, rank: fc.integer({ min: 1, max: 12 }) }, { requiredKeys: ['domain'] }),
      { maxLength: 5 },
    ),
  }),
  fc.record({
    do: fc.constant('complete' as const),
    snapshot: someSnapshot,
    checkpoint: fc.constantFrom('x', 'y', undefined),
  }),
  fc.record({ do: fc.constant('keep' as const), lists: fc.subarray(['one', 'two'], { minLength: 1 }) }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.nat(10) }),
);

/** Applies each step to the store and to the model, which must agree. */
export async function snapshotsAgree(newWorld: NewWorld): Promise<void> {
  const domains = ['a.example', 'b.example', 'c.example', 'd.example'];
  const byList = <Item extends { readonly list: string }>(items: readonly Item[]) =>
    items.toSorted((one, other) => (one.list < other.list ? -1 : 1));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), snapshotStep), { maxLength: 15 }), async (steps) => {
      const { store: one, other, readChanges } = await newWorld();
      const model = new RiskReference();
      let nowMs = 0;
      for (const [which, step] of steps) {
        const store = which ? one : other;
        if (step.do === 'add') {
          await store.addListed(step.snapshot, step.domains);
          model.addListed(step.snapshot, step.domains);
        } else if (step.do === 'complete') {
          await store.completeSnapshot(step.snapshot, step.checkpoint, nowMs);
          model.completeSnapshot(step.snapshot, step.checkpoint, nowMs);
        } else if (step.do === 'keep') {
          await store.removeListsExcept(step.lists);
          model.keepLists(step.lists);
        } else {
          nowMs += step.ms;
          assert.equal(await store.removeExpired(nowMs, 100), model.removeExpired(nowMs));
        }
        const found = (await other.findVerdicts(domains, nowMs)).map(byList);
        assert.deepEqual(
          found,
          domains.map((domain) => byList(model.findVerdicts(domain, nowMs))),
        );
        assert.deepEqual((await readChanges()).toSorted(), model.takeChanges().toSorted());
        assert.deepEqual(await other.listLists(), model.listLists());
        assert.deepEqual(await other.statistics(), model.statistics());
      }
    }),
    { numRuns: 60 },
  );
}

const badStep = fc.array(
  fc.record({
    domain: someDomain,
    weight: fc.constantFrom(0.25, 0.5, 1),
    links: fc.array(fc.constantFrom('v', 'w', 'x', 'y').map(address), { maxLength: 4 }),
  }),
  { maxLength: 3 },
);

export async function linksAgree(newWorld: NewWorld): Promise<void> {
  const domains = ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'];
  const links = ['v', 'w', 'x', 'y'].map(address);
  const queries = links.flatMap((link) => domains.map((except) => ({ link, except })));
  const texts = (some: readonly Link[]) => [...new Set(some.map(({ value }) => value))].sort();
  const { store: one, other } = await newWorld();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), badStep), { maxLength: 12 }), async (steps) => {
      const model = new RiskReference();
      await one.replaceBadLinks(domains.map((domain) => ({ domain, weight: 0, links: [] })));
      for (const [which, bad] of steps) {
        const changed = await (which ? one : other).replaceBadLinks(bad);
        assert.deepEqual(texts(changed), [...model.putBadLinks(bad)].sort());
        assert.deepEqual(
          await other.countBadDomains(queries),
          queries.map(({ link, except }) => model.countBad(link, except)),
        );
        const found = await one.findBadLinks(domains);
        assert.deepEqual(
          found.map((each) => [each.domain, each.weight, texts(each.links)]),
          domains.map((domain) => {
            const { weight, links: had } = model.findBadLinks(domain);
            return [domain, weight, texts(had)];
          }),
        );
        const { badDomains, badLinks } = model.statistics();
        assert.deepEqual(await other.statistics(), { verdicts: 0, badDomains, badLinks });
      }
    }),
    { numRuns: 60 },
  );
}

/** Sequences of what is done with a risk-store, beside a simple model of it. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Link } from '../../src/model/risk/link.ts';
import { verdictLabels } from '../../src/model/risk/verdict.ts';
import type { RiskStore } from '../../src/store/risk-store.ts';
import { RiskReference } from '../harness/risk-reference.ts';

/** An empty store, and what was told of it since. */
export interface RiskWorld {
  readonly store: RiskStore;
  readonly other: RiskStore;
  readonly takeChanges: () => Promise<readonly string[]>;
}

export type NewWorld = () => Promise<RiskWorld>;

export const address = (value: string): Link => ({ kind: 'address', attribute: 'ip', value });

const someDomain = fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example');
const someReading = fc.record({
  list: fc.constantFrom('one', 'two'),
  label: fc.constantFrom(...verdictLabels),
  weight: fc.constantFrom(0.5, 1),
  id: fc.integer({ min: 1, max: 6 }),
  untilMs: fc.oneof(fc.constant(undefined), fc.nat(30)),
});
const readingStep = fc.oneof(
  fc.record({
    do: fc.constant('take' as const),
    reading: someReading,
    domains: fc.array(
      fc.record({ domain: someDomain, rank: fc.integer({ min: 1, max: 12 }) }, { requiredKeys: ['domain'] }),
      { maxLength: 5 },
    ),
  }),
  fc.record({
    do: fc.constant('end' as const),
    reading: someReading,
    place: fc.constantFrom('x', 'y', undefined),
  }),
  fc.record({ do: fc.constant('keep' as const), lists: fc.subarray(['one', 'two'], { minLength: 1 }) }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.nat(10) }),
);

/** Each step with both, which must say the same. */
export async function readingsAgree(newWorld: NewWorld): Promise<void> {
  const domains = ['a.example', 'b.example', 'c.example', 'd.example'];
  const byList = <Item extends { readonly list: string }>(items: readonly Item[]) =>
    items.toSorted((one, other) => (one.list < other.list ? -1 : 1));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), readingStep), { maxLength: 15 }), async (steps) => {
      const { store: one, other, takeChanges } = await newWorld();
      const model = new RiskReference();
      let nowMs = 0;
      for (const [which, step] of steps) {
        const store = which ? one : other;
        if (step.do === 'take') {
          await store.takeListed(step.reading, step.domains);
          model.takeListed(step.reading, step.domains);
        } else if (step.do === 'end') {
          await store.endReading(step.reading, step.place, nowMs);
          model.endReading(step.reading, step.place, nowMs);
        } else if (step.do === 'keep') {
          await store.keepLists(step.lists);
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
        assert.deepEqual((await takeChanges()).toSorted(), model.takeChanges().toSorted());
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
  const asked = links.flatMap((link) => domains.map((except) => ({ link, except })));
  const texts = (some: readonly Link[]) => [...new Set(some.map(({ value }) => value))].sort();
  const { store: one, other } = await newWorld();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), badStep), { maxLength: 12 }), async (steps) => {
      const model = new RiskReference();
      await one.putBadLinks(domains.map((domain) => ({ domain, weight: 0, links: [] })));
      for (const [which, bad] of steps) {
        const told = await (which ? one : other).putBadLinks(bad);
        assert.deepEqual(texts(told), [...model.putBadLinks(bad)].sort());
        assert.deepEqual(
          await other.countBad(asked),
          asked.map(({ link, except }) => model.countBad(link, except)),
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

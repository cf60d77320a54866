/** What every name-store promises. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { NameStore } from '../../src/store/name-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenNameStore = (t: TestContext) => () => NameStore;

const seenMs = 1_800_000_000_000;

/** Tells everything that is untold, and gives it back batch by batch. */
async function tellAll(store: NameStore): Promise<string[][]> {
  const told: string[][] = [];
  for (;;) {
    const untold = await store.findUntold();
    if (!untold) return told;
    told.push(untold.domains.map(({ domain }) => domain));
    await store.markTold(untold.batch);
  }
}

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `n${String(from + index).padStart(6, '0')}.example`);

export function nameStoreConformance(name: string, open: OpenNameStore): void {
  describe(`${name} as a name-store`, () => {
    taking(open);
    telling(open);
    test('any sequence of operations by two processes comes out as in a simple model', (t) =>
      agreesWithModel(open(t)));
  });
}

function taking(open: OpenNameStore): void {
  test('a domain is new once, whichever source brings it, to whichever process', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    assert.equal(await store.take('one', ['a.example', 'b.example', 'a.example'], seenMs, undefined), 2);
    assert.equal(await other.take('two', ['b.example', 'c.example'], seenMs, undefined), 1);
    assert.deepEqual(await store.statistics(), { domains: 3, untold: 3 });
  });

  test('when a domain was first told of is known, to the second, and stays', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    await store.take('one', ['a.example'], seenMs + 5, undefined);
    await store.take('two', ['a.example'], seenMs - 60_000, undefined);
    assert.equal(await other.findSeenMs('a.example'), seenMs);
    assert.equal(await other.findSeenMs('b.example'), undefined);
  });

  test('the place of a source moves with what it brings, and stays where none is given', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    assert.equal(await store.findPlace('one'), undefined);
    await store.take('one', [], seenMs, '5');
    await store.take('one', ['a.example'], seenMs, undefined);
    await store.take('two', ['a.example'], seenMs, '9');
    assert.deepEqual([await other.findPlace('one'), await other.findPlace('two')], ['5', '9']);
  });

  test('ten thousand domains are taken at once, and of all at the same time each is new to one', async (t) => {
    const handle = open(t);
    const stores = [handle(), handle()];
    const taken = await Promise.all(
      [0, 5000, 0, 5000].map((from, index) =>
        (stores[index % 2] as NameStore).take('many', numbered(10_000, from), seenMs, undefined),
      ),
    );
    assert.equal(
      taken.reduce((sum, fresh) => sum + fresh),
      15_000,
    );
  });

  test('what a store took is there when it is opened again', async (t) => {
    const handle = open(t);
    const store = handle();
    await store.take('one', ['a.example'], seenMs, '1');
    await store.close();
    const again = handle();
    assert.deepEqual([await again.findPlace('one'), await tellAll(again)], ['1', [['a.example']]]);
  });
}

function telling(open: OpenNameStore): void {
  test('new domains wait with who has seen them and when', async (t) => {
    const store = open(t)();
    assert.equal(await store.findUntold(), undefined);
    await store.take('one', ['b.example', 'a.example'], seenMs, undefined);
    const untold = await store.findUntold();
    assert.deepEqual(untold?.domains, [
      { domain: 'a.example', seenMs, source: 'one' },
      { domain: 'b.example', seenMs, source: 'one' },
    ]);
  });

  test('a batch that somebody has asked for stays as it is, and what comes then is in a later one', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    await store.take('one', ['a.example'], seenMs, undefined);
    await store.take('one', ['b.example'], seenMs, undefined);
    const first = await store.findUntold();
    assert.ok(first);
    await store.take('one', ['c.example'], seenMs, undefined);
    assert.deepEqual(await other.findUntold(), first);
    assert.deepEqual(
      first.domains.map(({ domain }) => domain),
      ['a.example', 'b.example'],
    );
    await other.markTold(first.batch);
    const second = await store.findUntold();
    assert.ok(second && second.batch > first.batch);
    assert.deepEqual(
      second.domains.map(({ domain }) => domain),
      ['c.example'],
    );
  });

  test('to mark a batch twice, or one that is gone, does no harm', async (t) => {
    const store = open(t)();
    await store.take('one', ['a.example'], seenMs, undefined);
    const { batch } = (await store.findUntold()) ?? { batch: 0 };
    await store.markTold(batch);
    await store.markTold(batch);
    assert.deepEqual(await store.statistics(), { domains: 1, untold: 0 });
    assert.equal(await store.take('two', ['a.example'], seenMs, undefined), 0);
    assert.equal(await store.findUntold(), undefined);
  });

  test('a batch does not grow beyond what can be told at once', async (t) => {
    const store = open(t)();
    for (let from = 0; from < 18_000; from += 6000)
      await store.take('one', numbered(6000, from), seenMs, undefined);
    assert.deepEqual(
      (await tellAll(store)).map(({ length }) => length),
      [6000, 6000, 6000],
    );
  });
}

const operation = fc.oneof(
  fc.record({
    do: fc.constant('take' as const),
    domains: fc.array(fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example', 'e.example')),
    place: fc.option(fc.nat(9)),
  }),
  fc.record({ do: fc.constant('ask' as const) }),
  fc.record({ do: fc.constant('tell' as const) }),
);

async function agreesWithModel(handle: () => NameStore): Promise<void> {
  const stores = [handle(), handle()];
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), operation), { maxLength: 20 }), async (steps) => {
      // Names of its own for each run, so that all share one store.
      const prefix = `r${++runs}-`;
      const source = `source${runs}`;
      const [known, told] = [new Set<string>(), new Set<string>()];
      let place: string | undefined;
      for (const [which, step] of steps) {
        const store = stores[which] as NameStore;
        if (step.do === 'take') {
          const domains = step.domains.map((domain) => `${prefix}${domain}`);
          const fresh = new Set(domains.filter((domain) => !known.has(domain)));
          place = step.place === null ? place : String(step.place);
          const given = step.place === null ? undefined : String(step.place);
          assert.equal(await store.take(source, domains, seenMs, given), fresh.size);
          for (const domain of fresh) known.add(domain);
        } else if (step.do === 'ask') await store.findUntold();
        else {
          for (const domain of (await tellAll(store)).flat()) {
            assert.ok(known.has(domain) && !told.has(domain));
            told.add(domain);
          }
          assert.equal(told.size, known.size);
        }
        assert.equal(await store.findPlace(source), place);
        assert.equal((await store.statistics()).untold, known.size - told.size);
      }
      await tellAll(stores[0] as NameStore);
    }),
    { numRuns: 60 },
  );
}

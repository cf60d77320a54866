/** What every name store must do. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { NameStore } from '../../src/store/name-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenNameStore = (t: TestContext) => () => NameStore;

const seenMs = 1_800_000_000_000;

/** Marks everything as published, and returns it by batch. */
async function publishAll(store: NameStore): Promise<string[][]> {
  const batches: string[][] = [];
  for (;;) {
    const unpublished = await store.findUnpublished();
    if (!unpublished) return batches;
    batches.push(unpublished.domains.map(({ domain }) => domain));
    await store.markPublished(unpublished.batch);
  }
}

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `n${String(from + index).padStart(6, '0')}.example`);

export function nameStoreConformance(name: string, open: OpenNameStore): void {
  describe(`${name} as a name store`, () => {
    recording(open);
    publishing(open);
    test('any sequence of operations by two processes agrees with a simple model', (t) =>
      agreesWithModel(open(t)));
  });
}

function recording(open: OpenNameStore): void {
  test('a domain is new once, regardless of source and process', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    assert.equal(
      await store.recordNames('one', ['a.example', 'b.example', 'a.example'], seenMs, undefined),
      2,
    );
    assert.equal(await other.recordNames('two', ['b.example', 'c.example'], seenMs, undefined), 1);
    assert.deepEqual(await store.statistics(), { domains: 3, unpublished: 3 });
  });

  test('the time at which a domain was first reported is stored to the second, and does not change', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    await store.recordNames('one', ['a.example'], seenMs + 5, undefined);
    await store.recordNames('two', ['a.example'], seenMs - 60_000, undefined);
    assert.deepEqual(await other.findSeenMs(['b.example', 'a.example', 'b.example']), [
      undefined,
      seenMs,
      undefined,
    ]);
  });

  test('domains are listed by their beginning, in order of name, up to a limit', async (t) => {
    const store = open(t)();
    const domains = [
      'acme.example',
      'acme-login.example',
      'acmf.example',
      'bcme.example',
      'xn--acme.example',
    ];
    await store.recordNames('one', domains, seenMs, undefined);
    assert.deepEqual(await store.listDomainsFrom('acm', 10), [
      'acme-login.example',
      'acme.example',
      'acmf.example',
    ]);
    assert.deepEqual(await store.listDomainsFrom('acme', 1), ['acme-login.example']);
    assert.deepEqual(await store.listDomainsFrom('zzz', 10), []);
  });

  test('the checkpoint of a source moves with its names, and stays unchanged if none is given', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    assert.equal(await store.findCheckpoint('one'), undefined);
    await store.recordNames('one', [], seenMs, { checkpoint: '5' });
    await store.recordNames('one', ['a.example'], seenMs, undefined);
    await store.recordNames('two', ['a.example'], seenMs, { checkpoint: '9' });
    assert.deepEqual([await other.findCheckpoint('one'), await other.findCheckpoint('two')], ['5', '9']);
  });

  test('ten thousand domains are recorded in one call, and concurrent calls count each domain as new once', async (t) => {
    const handle = open(t);
    const stores = [handle(), handle()];
    const counts = await Promise.all(
      [0, 5000, 0, 5000].map((from, index) =>
        (stores[index % 2] as NameStore).recordNames('many', numbered(10_000, from), seenMs, undefined),
      ),
    );
    assert.equal(
      counts.reduce((sum, fresh) => sum + fresh),
      15_000,
    );
  });

  test('names and checkpoints survive a restart', async (t) => {
    const handle = open(t);
    const store = handle();
    await store.recordNames('one', ['a.example'], seenMs, { checkpoint: '1' });
    await store.close();
    const again = handle();
    assert.deepEqual([await again.findCheckpoint('one'), await publishAll(again)], ['1', [['a.example']]]);
  });
}

function publishing(open: OpenNameStore): void {
  test('unpublished domains have their source and time', async (t) => {
    const store = open(t)();
    assert.equal(await store.findUnpublished(), undefined);
    await store.recordNames('one', ['b.example', 'a.example'], seenMs, undefined);
    const unpublished = await store.findUnpublished();
    assert.deepEqual(unpublished?.domains, [
      { domain: 'a.example', seenMs, source: 'one' },
      { domain: 'b.example', seenMs, source: 'one' },
    ]);
  });

  test('a batch that was returned does not change, and later domains go to a later batch', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    await store.recordNames('one', ['a.example'], seenMs, undefined);
    await store.recordNames('one', ['b.example'], seenMs, undefined);
    const first = await store.findUnpublished();
    assert.ok(first);
    await store.recordNames('one', ['c.example'], seenMs, undefined);
    assert.deepEqual(await other.findUnpublished(), first);
    assert.deepEqual(
      first.domains.map(({ domain }) => domain),
      ['a.example', 'b.example'],
    );
    await other.markPublished(first.batch);
    const second = await store.findUnpublished();
    assert.ok(second && second.batch > first.batch);
    assert.deepEqual(
      second.domains.map(({ domain }) => domain),
      ['c.example'],
    );
  });

  test('marking a batch as published is idempotent', async (t) => {
    const store = open(t)();
    await store.recordNames('one', ['a.example'], seenMs, undefined);
    const { batch } = (await store.findUnpublished()) ?? { batch: 0 };
    await store.markPublished(batch);
    await store.markPublished(batch);
    assert.deepEqual(await store.statistics(), { domains: 1, unpublished: 0 });
    assert.equal(await store.recordNames('two', ['a.example'], seenMs, undefined), 0);
    assert.equal(await store.findUnpublished(), undefined);
  });

  test('a batch does not grow beyond its maximum size', async (t) => {
    const store = open(t)();
    for (let from = 0; from < 18_000; from += 6000)
      await store.recordNames('one', numbered(6000, from), seenMs, undefined);
    assert.deepEqual(
      (await publishAll(store)).map(({ length }) => length),
      [6000, 6000, 6000],
    );
  });
}

const operation = fc.oneof(
  fc.record({
    do: fc.constant('record' as const),
    domains: fc.array(fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example', 'e.example')),
    checkpoint: fc.option(fc.nat(9)),
  }),
  fc.record({ do: fc.constant('find' as const) }),
  fc.record({ do: fc.constant('publish' as const) }),
);

async function agreesWithModel(handle: () => NameStore): Promise<void> {
  const stores = [handle(), handle()];
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), operation), { maxLength: 20 }), async (steps) => {
      // Each run has its own names, so that all share one store.
      const prefix = `r${++runs}-`;
      const source = `source${runs}`;
      const [known, published] = [new Set<string>(), new Set<string>()];
      let checkpoint: string | undefined;
      for (const [which, step] of steps) {
        const store = stores[which] as NameStore;
        if (step.do === 'record') {
          const domains = step.domains.map((domain) => `${prefix}${domain}`);
          const fresh = new Set(domains.filter((domain) => !known.has(domain)));
          checkpoint = step.checkpoint === null ? checkpoint : String(step.checkpoint);
          const given = step.checkpoint === null ? undefined : { checkpoint: String(step.checkpoint) };
          assert.equal(await store.recordNames(source, domains, seenMs, given), fresh.size);
          for (const domain of fresh) known.add(domain);
        } else if (step.do === 'find') await store.findUnpublished();
        else {
          for (const domain of (await publishAll(store)).flat()) {
            assert.ok(known.has(domain) && !published.has(domain));
            published.add(domain);
          }
          assert.equal(published.size, known.size);
        }
        assert.equal(await store.findCheckpoint(source), checkpoint);
        assert.equal((await store.statistics()).unpublished, known.size - published.size);
      }
      await publishAll(stores[0] as NameStore);
    }),
    { numRuns: 60 },
  );
}

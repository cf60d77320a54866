import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { WorkerClient } from '../../../../src/concurrency/worker-client.ts';
import type { Rrset } from '../../../../src/model/dns/rrset.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { TextSearch } from '../../../../src/store/rrset/search/text-search.ts';
import type { TextScan } from '../../../../src/store/rrset-store.ts';
import { all } from '../../../conformance/rrset-store.ts';
import { hostilePatterns, hostileTexts } from '../../../harness/fixtures/hostile-texts.ts';
import { storedSegments } from '../../../harness/fixtures/open-segments.ts';
import type { MortalSearchCalls } from '../../../harness/workers/search-worker.ts';

const everyName: TextScan = {
  over: 'names',
  pattern: { kind: 'glob', text: '*.example.' },
  filter: { fences: {} },
};

async function started(t: TestContext, observations: readonly Rrset[]) {
  const { directory } = await storedSegments(t, [observations]);
  const thread = new WorkerClient<MortalSearchCalls, 'search'>({
    file: new URL('../../../harness/workers/search-worker.ts', import.meta.url),
    workerData: { directory },
    owner: 'flexible search',
    finish: [],
  });
  t.after(() => thread.close());
  const search = (scan: TextScan) => new TextSearch(thread, scan);
  return { thread, search };
}

const isUnavailable = (error: unknown) => error instanceof Problem && error.code === 'unavailable';

test('when the thread dies, running searches fail as unavailable, and later ones are answered by a new thread', async (t) => {
  const { thread, search } = await started(t, hostileTexts(300));
  const begun = search(everyName);
  assert.equal((await begun.next()).done, false);
  const reading = search({ ...everyName, over: 'rdata', pattern: hostilePatterns[0] });
  const failed = assert.rejects(all(reading), isUnavailable);
  await assert.rejects(thread.run('search', 'die'));
  await failed;
  await assert.rejects(begun.next(), isUnavailable);
  assert.equal((await begun.next()).done, true);
  assert.equal((await all(search(everyName))).length, 300);
});

test('a search returns rows in small portions, each when it is asked for', async (t) => {
  const { search } = await started(t, hostileTexts(300));
  const [names, data] = [
    search(everyName),
    search({ ...everyName, over: 'rdata', pattern: { kind: 'glob', text: '*' } }),
  ];
  for await (const rows of names) assert.ok(rows.length <= 80);
  for await (const rows of data) assert.ok(rows.length <= 10, 'large records come in smaller portions');
});

test('a search that is ended while it is being read is freed, and says no more', async (t) => {
  const { thread, search } = await started(t, hostileTexts(400));
  const one = search({ ...everyName, over: 'rdata', pattern: hostilePatterns[1] });
  const reading = one.next();
  await one.return();
  await reading.catch(() => undefined);
  assert.equal((await one.next()).done, true);
  await assert.rejects(thread.run('search', 'read', 1), isUnavailable);
});

test('the event loop goes on while hostile searches run', async (t) => {
  const { search } = await started(t, hostileTexts(100));
  await all(search(everyName));
  const searches = hostilePatterns.map((pattern) => all(search({ ...everyName, over: 'rdata', pattern })));
  let [iterations, isOver] = [0, false];
  const tick = () => {
    iterations += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const found = await Promise.all(searches);
  isOver = true;
  assert.deepEqual(found, [[], [], []]);
  // Matching on this thread, with a slice in every iteration, would leave fewer iterations than there are records.
  assert.ok(iterations > 300, `${iterations} iterations`);
});

/** Crash test: a process that scores stored records again is killed several times on the way. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';
import { observe } from '../../harness/fixtures/observe-rrsets.ts';
import { scoreAll, writeRecord } from '../../harness/fixtures/scoring-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';
import {
  changedDomains,
  rescoredDomains,
  rescoringSettings,
  scorerOfVersion,
} from '../../harness/workers/scoring/rescoring.ts';

const worker = join(import.meta.dirname, '../../harness/workers/scoring/scoring-worker.ts');
/** Longer than any lease. */
const leaseSeconds = 600;

/** Runs the worker, and kills it when it has printed a number of lines; the exit code is null if it was killed. */
async function runWorker(directory: string, nowMs: number, linesMax: number): Promise<number | null> {
  const child = spawn(process.execPath, [worker, directory, String(nowMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lines = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    lines += chunk.toString().split('\n').length - 1;
    if (lines >= linesMax) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

async function withStores<Result>(
  directory: string,
  clock: TestClock,
  use: (stores: ReturnType<typeof openEmbeddedStores>) => Promise<Result>,
): Promise<Result> {
  const stores = openEmbeddedStores({ data: directory, clock });
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

test('FEED-40 FEED-41 each score that a new model changes is published exactly once, however often the process is killed', async (t) => {
  const directory = temporaryDirectory(t);
  const clock = new TestClock();
  await withStores(directory, clock, async (stores) => {
    await writeRecord({ ...stores, clock }, ...rescoredDomains.map((domain) => ({ domain })));
    const seen = changedDomains.slice(0, 50);
    const time_first = Math.floor(clock.now() / 1000);
    await observe(
      stores.rrsets,
      seen.map((domain) => ({ rrname: domain, time_first })),
    );
    await scoreAll({ ...stores, clock, settings: rescoringSettings, scorer: scorerOfVersion(1) });
  });
  const before = await withStores(directory, clock, ({ streams }) => linesIn(streams, 'feed-domainrisk'));

  const codes: (number | null)[] = [];
  // Each of the first runs is killed after its first round of all stages; the last one completes.
  for (const lines of [1, 1, 1, Number.POSITIVE_INFINITY]) {
    clock.advanceSeconds(leaseSeconds);
    codes.push(await runWorker(directory, clock.now(), lines));
  }
  assert.deepEqual(codes, [null, null, null, 0]);

  await withStores(directory, clock, async ({ streams }) => {
    const after = (await linesIn(streams, 'feed-domainrisk')).slice(before.length);
    const names = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).domain as string).sort();
    assert.deepEqual(names(after), changedDomains.toSorted());
    const hot = names(await linesIn(streams, 'feed-domainhotlist'));
    assert.deepEqual(hot, changedDomains.slice(0, 50).sort());
  });
});

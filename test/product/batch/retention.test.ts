import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { readConfig } from '../../../src/config.ts';
import { channelStream } from '../../../src/model/stream-names.ts';
import {
  linkLifetimeSeconds,
  pruneBefore,
  pruneChannels,
  retentionHoursOf,
} from '../../../src/product/batch/retention.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

function settingsWith(values: Readonly<Record<string, string>> = {}) {
  const flags = Object.fromEntries(
    Object.entries(values).map(([key, text]) => [key, { flag: '--set', text }]),
  );
  return readConfig({ environment: {}, flags }).settings;
}

const ownRetention =
  '{"7": {description: Own, mimetype: application/x-ndjson, retentionHours: 3}, "8": {description: As all, mimetype: application/x-ndjson}}';
const nowMs = Date.parse('2026-01-28T18:00:30Z');
const nowMinute = Math.floor(nowMs / 60_000);
const hoursAgo = (hours: number) => nowMinute - hours * 60;

test('BAT-27 by default a channel keeps its data for 18 hours, and for 12 when it is large', () => {
  const settings = settingsWith();
  assert.equal(retentionHoursOf(212, settings), 18);
  assert.equal(pruneBefore(212, 0, settings, nowMs), hoursAgo(18));
  assert.equal(pruneBefore(212, hoursAgo(15), settings, nowMs), hoursAgo(15));
  assert.equal(pruneBefore(212, hoursAgo(1), settings, nowMs), hoursAgo(12));
});

test('BAT-27 a channel may have its own retention, even below the minimum of the others', () => {
  const settings = settingsWith({ 'batch.retentionHours': '20', 'batch.channels': ownRetention });
  assert.deepEqual(
    [7, 8, 9].map((channel) => retentionHoursOf(channel, settings)),
    [3, 20, 20],
  );
  assert.equal(pruneBefore(7, 0, settings, nowMs), hoursAgo(3));
  assert.equal(pruneBefore(7, nowMinute, settings, nowMs), hoursAgo(3));
  assert.equal(linkLifetimeSeconds(7, settings), 3 * 3600);
  assert.equal(linkLifetimeSeconds(8, settings), 20 * 3600);
});

test('BAT-27 whatever the size, nothing younger than the minimum is pruned and nothing older than the retention is kept', () => {
  const hours = fc.integer({ min: 1, max: 100 });
  fc.assert(
    fc.property(hours, hours, fc.integer({ min: -1e6, max: 1e6 }), (kept, least, fitting) => {
      const settings = settingsWith({
        'batch.retentionHours': String(kept),
        'batch.retentionHoursMin': String(least),
      });
      const before = pruneBefore(212, nowMinute + fitting, settings, nowMs);
      assert.ok(before >= hoursAgo(kept));
      assert.ok(before <= hoursAgo(Math.min(kept, least)));
    }),
    { numRuns: 50 },
  );
});

/** A store whose channel 212 has one line of 100 bytes in each of the minutes given as ages. */
async function storeWith(t: TestContext, ages: readonly number[], stream = channelStream(212)) {
  const streams = openStreamStore(temporaryDirectory(t));
  t.after(() => streams.close());
  const bytes = Buffer.from(`{"x":"${'x'.repeat(91)}"}\n`);
  assert.equal(bytes.length, 100);
  for (const age of ages.toSorted((left, right) => right - left)) {
    await streams.append([{ stream, bytes }], nowMs - age * 60_000);
  }
  return streams;
}

test('BAT-26 pruning removes what is older than the retention and keeps the rest', async (t) => {
  const streams = await storeWith(t, [2000, 1081, 1080, 10, 0]);
  await pruneChannels({ streams, settings: settingsWith() }, nowMs);
  const state = await streams.findState('ch212');
  assert.deepEqual([state?.earliestMinute, state?.start, state?.end], [nowMinute - 1080, 200, 500]);
});

test('BAT-26 a channel that is no longer declared is pruned as well, and other streams are not touched', async (t) => {
  const streams = await storeWith(t, [2000, 10], 'ch99');
  await streams.append([{ stream: 'feed-nod', bytes: Buffer.from('{}\n') }], nowMs - 2000 * 60_000);
  await pruneChannels({ streams, settings: settingsWith() }, nowMs);
  assert.equal((await streams.findState('ch99'))?.start, 100);
  assert.equal((await streams.findState('feed-nod'))?.start, 0);
});

for (const [bytesMax, keptAges] of [
  [500, [1000, 900, 800, 30, 0]],
  [499, [900, 800, 30, 0]],
  [350, [800, 30, 0]],
  [100, [30, 0]],
  [1, [30, 0]],
] as const) {
  test(`BAT-27 of five minutes of 100 bytes a channel of at most ${bytesMax} bytes keeps ${keptAges.length}`, async (t) => {
    const streams = await storeWith(t, [1000, 900, 800, 30, 0]);
    await pruneChannels(
      { streams, settings: settingsWith({ 'batch.channelBytesMax': String(bytesMax) }) },
      nowMs,
    );
    const state = await streams.findState('ch212');
    assert.deepEqual(
      [state?.earliestMinute, state && state.end - state.start],
      [nowMinute - (keptAges[0] as number), keptAges.length * 100],
    );
  });
}

test('BAT-27 a large channel keeps the most that fits, or the minimum retention', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 1079 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 1300 }),
      async (ages, bytesMax) => {
        const streams = await storeWith(t, ages);
        const settings = settingsWith({ 'batch.channelBytesMax': String(bytesMax) });
        await pruneChannels({ streams, settings }, nowMs);
        const state = await streams.findState('ch212');
        const youngest = ages.filter((age) => age <= 720).length;
        const fitting = Math.min(ages.length, Math.floor(bytesMax / 100));
        assert.equal(state && state.end - state.start, Math.max(youngest, fitting) * 100);
      },
    ),
    { numRuns: propertyRuns(6) },
  );
});

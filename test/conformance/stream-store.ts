/** The conformance suite of stream stores. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { dayMs } from '../../src/model/durations.ts';
import type { OpenRange, StreamStore } from '../../src/store/stream-store.ts';
import { propertyRuns } from '../harness/property-runs.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenStreamStore = (t: TestContext) => () => StreamStore;

const minuteMs = 60_000;
const noonMs = Date.parse('2026-03-04T12:00:00Z');
const noon = noonMs / minuteMs;

export function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

export async function textOf(range: OpenRange | undefined, from?: number, to?: number): Promise<string> {
  if (!range) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of range.read(from, to)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

export async function contentOf(store: StreamStore, stream: string, from = 0, to = 2 ** 52): Promise<string> {
  const range = await store.openRange(stream, from, to);
  const text = await textOf(range);
  await range?.close();
  return text;
}

function append(store: StreamStore, text: string, atMs = noonMs, stream = 'ch212'): Promise<boolean> {
  return store.append([{ stream, bytes: bytes(text) }], atMs);
}

export function streamStoreConformance(name: string, open: OpenStreamStore): void {
  describe(`${name} as a stream-store`, () => {
    appending(open);
    reading(open);
    pruning(open);
    consumerOffsets(open);
    producerMarks(open);
    properties(open);
  });
}

function appending(open: OpenStreamStore): void {
  test('another handle reads what was appended, in order', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    await append(one, 'a\nb\n');
    await append(other, 'c\n');
    assert.equal(await contentOf(one, 'ch212'), 'a\nb\nc\n');
  });

  test('an append to several streams is in all of them', async (t) => {
    const store = open(t)();
    const both = [
      { stream: 'ch212', bytes: bytes('a\n') },
      { stream: 'feed-nod', bytes: bytes('b\n') },
    ];
    assert.equal(await store.append(both, noonMs), true);
    assert.deepEqual(
      [await contentOf(store, 'ch212'), await contentOf(store, 'feed-nod'), await store.listStreams()],
      ['a\n', 'b\n', ['ch212', 'feed-nod']],
    );
  });

  for (const [what, text] of [
    ['half a line', 'a\nb'],
    ['an empty line', 'a\n\nb\n'],
    ['an empty first line', '\na\n'],
  ] as const) {
    test(`${what} is refused, and nothing is appended`, async (t) => {
      const store = open(t)();
      await assert.rejects(append(store, text));
      assert.equal(await store.findState('ch212'), undefined);
    });
  }

  test('an invalid stream name is refused', async (t) => {
    const store = open(t)();
    await assert.rejects(append(store, 'a\n', noonMs, '../secret'));
  });

  test('the state of a stream has its first and last minute, its bytes and its lines', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await append(store, 'bb\ncc\n', noonMs + 3 * minuteMs);
    assert.deepEqual(await store.findState('ch212'), {
      earliestMinute: noon,
      latestMinute: noon + 3,
      start: 0,
      end: 8,
      lines: 3,
    });
  });

  test('when the clock goes back, new lines still follow those already appended', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await append(store, 'b\n', noonMs - 10 * minuteMs);
    assert.equal(await contentOf(store, 'ch212'), 'a\nb\n');
    assert.equal((await store.findState('ch212'))?.earliestMinute, noon);
  });

  test('a hundred concurrent appends from two handles are each appended exactly once', async (t) => {
    const handle = open(t);
    const stores = [handle(), handle()];
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
    await Promise.all(lines.map((line, index) => append(stores[index % 2] as StreamStore, line)));
    const found = (await contentOf(stores[0] as StreamStore, 'ch212')).split(/(?<=\n)/);
    assert.deepEqual(found.sort(), lines.sort());
  });
}

function reading(open: OpenStreamStore): void {
  test('the offset of a minute is before its first line, or else before the next line after it', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await append(store, 'b\n', noonMs + 2 * minuteMs);
    const found = [noon - 1, noon, noon + 1, noon + 2, noon + 3].map((minute) =>
      store.offsetAt('ch212', minute),
    );
    assert.deepEqual(await Promise.all(found), [0, 0, 2, 2, 4]);
  });

  test('an open range does not grow when more is appended', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    const range = await store.openRange('ch212', 0, 1000);
    await append(store, 'b\n');
    assert.equal(await textOf(range), 'a\n');
    await range?.close();
  });

  test('parts of a range can be read repeatedly', async (t) => {
    const store = open(t)();
    await append(store, 'abc\n');
    await append(store, 'def\n', noonMs + minuteMs);
    const range = await store.openRange('ch212', 0, 8);
    assert.deepEqual(
      [await textOf(range, 2, 6), await textOf(range, 6), await textOf(range)],
      ['c\nde', 'f\n', 'abc\ndef\n'],
    );
    await range?.close();
  });

  test('an empty range is undefined', async (t) => {
    const store = open(t)();
    assert.equal(await store.openRange('ch212', 0, 10), undefined);
    await append(store, 'a\n');
    assert.equal(await store.openRange('ch212', 2, 10), undefined);
    assert.equal(await store.openRange('ch212', 1, 1), undefined);
  });

  test('a reader may stop in the middle of a range', async (t) => {
    const store = open(t)();
    await append(store, `${'x'.repeat(1_000_000)}\n`);
    const range = await store.openRange('ch212', 0, 2 ** 40);
    for await (const chunk of range?.read() ?? []) {
      assert.ok(chunk.length > 0);
      break;
    }
    await range?.close();
  });

  test('lines between two offsets are counted by whole segments, never too few', async (t) => {
    const store = open(t)();
    await append(store, 'a\nb\n');
    await append(store, 'c\n', noonMs + minuteMs);
    assert.deepEqual(
      [
        await store.countLines('ch212', 0, 6),
        await store.countLines('ch212', 2, 4),
        await store.countLines('ch212', 4, 6),
        await store.countLines('ch212', 6, 6),
        await store.countLines('none', 0, 6),
      ],
      [3, 2, 1, 0, 0],
    );
  });
}

function pruning(open: OpenStreamStore): void {
  test('pruned lines are gone, and offsets stay valid', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await append(store, 'b\n', noonMs + minuteMs);
    await store.pruneSegments('ch212', noon + 1);
    assert.deepEqual(await store.findState('ch212'), {
      earliestMinute: noon + 1,
      latestMinute: noon + 1,
      start: 2,
      end: 4,
      lines: 1,
    });
    assert.equal(await contentOf(store, 'ch212'), 'b\n');
  });

  test('a stream that was pruned completely continues from its last offset', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await store.pruneSegments('ch212', noon + 10);
    const { start, end, lines } = (await store.findState('ch212')) ?? {};
    assert.deepEqual([start, end, lines], [2, 2, 0]);
    await append(store, 'b\n', noonMs + 11 * minuteMs);
    assert.equal(await contentOf(store, 'ch212', 2), 'b\n');
  });

  test('an open range, in this handle or another, is not pruned before it is closed', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    await append(one, 'a\n');
    await append(one, 'b\n', noonMs + minuteMs);
    const range = await one.openRange('ch212', 0, 4);
    await other.pruneSegments('ch212', noon + 10);
    assert.equal(await textOf(range), 'a\nb\n');
    await range?.close();
    await other.pruneSegments('ch212', noon + 10);
    assert.equal(await contentOf(one, 'ch212'), '');
  });

  test('an open range does not keep earlier segments from being pruned', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await append(store, 'b\n', noonMs + minuteMs);
    const range = await store.openRange('ch212', 2, 4);
    await store.pruneSegments('ch212', noon + 10);
    assert.equal((await store.findState('ch212'))?.start, 2);
    await range?.close();
  });

  test('a stream without lines can be pruned', async (t) => {
    await open(t)().pruneSegments('ch99', noon);
  });
}

const session = { stream: 'feed-nod', name: 'session:1' };

function consumerOffsets(open: OpenStreamStore): void {
  test('an offset that was leased and committed is found by another handle', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    assert.deepEqual(await one.leaseOffset(session, 'a', 0, 10), { offset: undefined });
    assert.equal(await one.commitOffset(session, 'a', 7, 1), true);
    await one.releaseOffset(session, 'a');
    assert.deepEqual(await other.findOffset(session), { offset: 7, usedMs: 1 });
    assert.deepEqual(await other.leaseOffset(session, 'b', 2, 10), { offset: 7 });
  });

  test('a leased offset can be neither leased nor committed by another holder', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    await one.leaseOffset(session, 'a', 0, 10);
    assert.equal(await other.leaseOffset(session, 'b', 5, 15), undefined);
    assert.equal(await other.commitOffset(session, 'b', 9, 5), false);
    assert.equal(await one.findOffset(session), undefined);
  });

  test('a holder whose lease expired loses the offset to the next, and can no longer commit', async (t) => {
    const store = open(t)();
    await store.leaseOffset(session, 'a', 0, 10);
    assert.deepEqual(await store.leaseOffset(session, 'b', 11, 20), { offset: undefined });
    assert.equal(await store.commitOffset(session, 'a', 9, 12), false);
    assert.equal(await store.commitOffset(session, 'b', 8, 12), true);
    assert.equal((await store.findOffset(session))?.offset, 8);
  });

  test('a lease made while the clock was a day ahead lasts its own time after the clock was set back', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    await one.leaseOffset(session, 'a', noonMs + dayMs, noonMs + dayMs + 20_000);
    assert.equal(await other.leaseOffset(session, 'b', noonMs, noonMs + 20_000), undefined);
    assert.equal(await other.leaseOffset(session, 'b', noonMs + 20_000, noonMs + 40_000), undefined);
    assert.deepEqual(await other.leaseOffset(session, 'b', noonMs + 20_001, noonMs + 40_000), {
      offset: undefined,
    });
    assert.equal(await one.commitOffset(session, 'a', 9, noonMs + 20_002), false);
  });

  test('a lease that is renewed after the clock was set back stays with its holder', async (t) => {
    const store = open(t)();
    await store.leaseOffset(session, 'a', noonMs + dayMs, noonMs + dayMs + 20_000);
    await store.leaseOffset(session, 'a', noonMs, noonMs + 20_000);
    assert.equal(await store.leaseOffset(session, 'b', noonMs + 19_999, noonMs + 40_000), undefined);
    assert.equal(await store.commitOffset(session, 'a', 9, noonMs + 20_000), true);
  });

  test('of twenty concurrent lease requests one succeeds', async (t) => {
    const handle = open(t);
    const stores = [handle(), handle()];
    const requests = Array.from({ length: 20 }, (_, index) =>
      (stores[index % 2] as StreamStore).leaseOffset(session, `holder ${index}`, 0, 10),
    );
    assert.equal((await Promise.all(requests)).filter((held) => held !== undefined).length, 1);
  });

  test('a consumer that never committed is forgotten on release', async (t) => {
    const store = open(t)();
    await store.leaseOffset(session, 'a', 0, 10);
    await store.releaseOffset(session, 'a');
    assert.equal(await store.removeConsumer(session), false);
  });

  test('a consumer that was removed starts over', async (t) => {
    const store = open(t)();
    await store.leaseOffset(session, 'a', 0, 10);
    await store.commitOffset(session, 'a', 5, 1);
    assert.equal(await store.removeConsumer(session), true);
    assert.equal(await store.commitOffset(session, 'a', 6, 2), false);
    assert.deepEqual(await store.leaseOffset(session, 'b', 3, 10), { offset: undefined });
  });

  test('consumers with a name prefix that have an offset are listed in order of name, as many as were asked for', async (t) => {
    const store = open(t)();
    await store.append([{ stream: 'feed-nod', bytes: Buffer.from('one\ntwo\n') }], 1);
    for (const name of ['session:a:z', 'session:a:é', 'session:ab', 'session:a:b', 'other:a:b']) {
      await store.leaseOffset({ stream: 'feed-nod', name }, 'h', 5, 10);
      await store.commitOffset({ stream: 'feed-nod', name }, 'h', 4, 6);
    }
    await store.leaseOffset({ stream: 'feed-nod', name: 'session:a:new' }, 'h', 5, 10);
    const listed = await store.listConsumers('feed-nod', 'session:a:', 9);
    assert.deepEqual(listed, [
      { name: 'session:a:b', offset: 4, usedMs: 6 },
      { name: 'session:a:z', offset: 4, usedMs: 6 },
      { name: 'session:a:é', offset: 4, usedMs: 6 },
    ]);
    assert.equal((await store.listConsumers('feed-nod', 'session:a:', 2)).length, 2);
    assert.deepEqual(await store.listConsumers('feed-nad', 'session:a:', 9), []);
  });

  test('idle consumers with a name prefix are removed, others stay', async (t) => {
    const store = open(t)();
    for (const [name, movedMs] of [
      ['session:old', 10],
      ['session:new', 30],
      ['stage', 10],
    ] as const) {
      const consumer = { stream: 'feed-nod', name };
      await store.leaseOffset(consumer, 'a', 0, 5);
      await store.commitOffset(consumer, 'a', 1, movedMs);
      await store.releaseOffset(consumer, 'a');
    }
    await store.removeIdleConsumers('feed-nod', 'session:', 20);
    const found = ['session:old', 'session:new', 'stage'].map((name) =>
      store.findOffset({ stream: 'feed-nod', name }),
    );
    assert.deepEqual(
      (await Promise.all(found)).map((known) => known?.offset),
      [undefined, 1, 1],
    );
  });
}

function producerMarks(open: OpenStreamStore): void {
  const lines = [{ stream: 'ch212', bytes: bytes('a\n') }];

  test('an append with a producer mark happens exactly once', async (t) => {
    const handle = open(t);
    const mark = { producer: 'import:1', from: undefined, to: '1' };
    const outcomes = await Promise.all([
      handle().append(lines, noonMs, mark),
      handle().append(lines, noonMs, mark),
    ]);
    const store = handle();
    assert.deepEqual(outcomes.sort(), [false, true]);
    assert.equal(await contentOf(store, 'ch212'), 'a\n');
    assert.equal(await store.findProducerMark('import:1'), '1');
  });

  test('a producer mark moves only from its current value', async (t) => {
    const store = open(t)();
    await store.append(lines, noonMs, { producer: 'w', from: undefined, to: '1' });
    assert.equal(await store.append(lines, noonMs, { producer: 'w', from: '2', to: '3' }), false);
    assert.equal(await store.append(lines, noonMs, { producer: 'w', from: '1', to: '2' }), true);
    assert.equal(await store.append([], noonMs, { producer: 'w', from: '2', to: 'done' }), true);
    assert.equal(await store.findProducerMark('w'), 'done');
  });

  test('idle producer marks with a name prefix are removed', async (t) => {
    const store = open(t)();
    await store.append([], 10, { producer: 'ingest:1', from: undefined, to: '1' });
    await store.append([], 10, { producer: 'observations', from: undefined, to: '1' });
    await store.removeIdleProducerMarks('ingest:', 20);
    assert.deepEqual(
      [await store.findProducerMark('ingest:1'), await store.findProducerMark('observations')],
      [undefined, '1'],
    );
  });
}

function properties(open: OpenStreamStore): void {
  test('appends read as their concatenation between any two offsets, whatever was pruned', async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            minutes: fc.nat(3),
            lines: fc.array(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), {
              minLength: 1,
              maxLength: 5,
            }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        fc.nat(400),
        fc.nat(400),
        fc.nat(20),
        async (appends, one, other, pruneMinutes) => {
          const store = open(t)();
          let whole = '';
          let minute = noon;
          const starts = new Map<number, number>();
          for (const { minutes, lines } of appends) {
            minute += minutes;
            if (!starts.has(minute)) starts.set(minute, whole.length);
            const text = lines.map((line) => `${line.replaceAll(/[\n\r]/g, '_')}\n`).join('');
            await append(store, text, minute * minuteMs);
            whole += text;
          }
          const [from, to] = [Math.min(one, other), Math.max(one, other)];
          assert.equal(await contentOf(store, 'ch212', from, to), whole.slice(from, to));
          await store.pruneSegments('ch212', noon + pruneMinutes);
          const kept = [...starts].filter(([at]) => at >= noon + pruneMinutes).map(([, start]) => start);
          const start = kept[0] ?? whole.length;
          assert.equal(
            await contentOf(store, 'ch212', from, to),
            whole.slice(Math.max(from, start), Math.max(to, start)),
          );
          assert.equal((await store.findState('ch212'))?.start, start);
          await store.close();
        },
      ),
      { numRuns: propertyRuns(8) },
    );
  });
}

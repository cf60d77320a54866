/** What every stream-store promises. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { OpenRange, StreamStore } from '../../src/store/stream-store.ts';

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
  const pieces: Buffer[] = [];
  for await (const piece of range.read(from, to)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
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
    places(open);
    marks(open);
    properties(open);
  });
}

function appending(open: OpenStreamStore): void {
  test('what was appended is read by another handle, in order', async (t) => {
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
    test(`${what} is refused, and nothing of it is there`, async (t) => {
      const store = open(t)();
      await assert.rejects(append(store, text));
      assert.equal(await store.findState('ch212'), undefined);
    });
  }

  test('a name that is no stream is refused', async (t) => {
    const store = open(t)();
    await assert.rejects(append(store, 'a\n', noonMs, '../secret'));
  });

  test('a stream tells its first and last minute, its bytes and its lines', async (t) => {
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

  test('a clock that went back does not put lines before those that are there', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await append(store, 'b\n', noonMs - 10 * minuteMs);
    assert.equal(await contentOf(store, 'ch212'), 'a\nb\n');
    assert.equal((await store.findState('ch212'))?.earliestMinute, noon);
  });

  test('a hundred appends at once from two handles are all there, none twice', async (t) => {
    const handle = open(t);
    const stores = [handle(), handle()];
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
    await Promise.all(lines.map((line, index) => append(stores[index % 2] as StreamStore, line)));
    const found = (await contentOf(stores[0] as StreamStore, 'ch212')).split(/(?<=\n)/);
    assert.deepEqual(found.sort(), lines.sort());
  });
}

function reading(open: OpenStreamStore): void {
  test('the place of a minute is before its first line, or before the first one after it', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await append(store, 'b\n', noonMs + 2 * minuteMs);
    const found = [noon - 1, noon, noon + 1, noon + 2, noon + 3].map((minute) =>
      store.offsetAt('ch212', minute),
    );
    assert.deepEqual(await Promise.all(found), [0, 0, 2, 2, 4]);
  });

  test('a range is what it was when it was opened, however much is appended meanwhile', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    const range = await store.openRange('ch212', 0, 1000);
    await append(store, 'b\n');
    assert.equal(await textOf(range), 'a\n');
    await range?.close();
  });

  test('part of a range can be read, and read again', async (t) => {
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

  test('a range that holds nothing is none', async (t) => {
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
    for await (const piece of range?.read() ?? []) {
      assert.ok(piece.length > 0);
      break;
    }
    await range?.close();
  });

  test('lines between two places are counted by segments, never too few', async (t) => {
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
  test('pruned lines are gone, and places stay what they were', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await append(store, 'b\n', noonMs + minuteMs);
    await store.prune('ch212', noon + 1);
    assert.deepEqual(await store.findState('ch212'), {
      earliestMinute: noon + 1,
      latestMinute: noon + 1,
      start: 2,
      end: 4,
      lines: 1,
    });
    assert.equal(await contentOf(store, 'ch212'), 'b\n');
  });

  test('a stream of which all was pruned goes on from the place where it was', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await store.prune('ch212', noon + 10);
    const { start, end, lines } = (await store.findState('ch212')) ?? {};
    assert.deepEqual([start, end, lines], [2, 2, 0]);
    await append(store, 'b\n', noonMs + 11 * minuteMs);
    assert.equal(await contentOf(store, 'ch212', 2), 'b\n');
  });

  test('what somebody has open, in this handle or another, is not pruned before it is closed', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    await append(one, 'a\n');
    await append(one, 'b\n', noonMs + minuteMs);
    const range = await one.openRange('ch212', 0, 4);
    await other.prune('ch212', noon + 10);
    assert.equal(await textOf(range), 'a\nb\n');
    await range?.close();
    await other.prune('ch212', noon + 10);
    assert.equal(await contentOf(one, 'ch212'), '');
  });

  test('an open range does not keep what lies before it', async (t) => {
    const store = open(t)();
    await append(store, 'a\n');
    await append(store, 'b\n', noonMs + minuteMs);
    const range = await store.openRange('ch212', 2, 4);
    await store.prune('ch212', noon + 10);
    assert.equal((await store.findState('ch212'))?.start, 2);
    await range?.close();
  });

  test('a stream that nobody wrote to can be pruned', async (t) => {
    await open(t)().prune('ch99', noon);
  });
}

const session = { stream: 'feed-nod', name: 'session:1' };

function places(open: OpenStreamStore): void {
  test('a place that was held and moved is found by another handle', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    assert.deepEqual(await one.holdPlace(session, 'a', 0, 10), { place: undefined });
    assert.equal(await one.movePlace(session, 'a', 7, 1), true);
    await one.releasePlace(session, 'a');
    assert.deepEqual(await other.findPlace(session), { place: 7, usedMs: 1 });
    assert.deepEqual(await other.holdPlace(session, 'b', 2, 10), { place: 7 });
  });

  test('nobody else holds or moves a place that is held', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    await one.holdPlace(session, 'a', 0, 10);
    assert.equal(await other.holdPlace(session, 'b', 5, 15), undefined);
    assert.equal(await other.movePlace(session, 'b', 9, 5), false);
    assert.equal(await one.findPlace(session), undefined);
  });

  test('a holder whose time is over loses the place to the next, and cannot move it then', async (t) => {
    const store = open(t)();
    await store.holdPlace(session, 'a', 0, 10);
    assert.deepEqual(await store.holdPlace(session, 'b', 11, 20), { place: undefined });
    assert.equal(await store.movePlace(session, 'a', 9, 12), false);
    assert.equal(await store.movePlace(session, 'b', 8, 12), true);
    assert.equal((await store.findPlace(session))?.place, 8);
  });

  test('of twenty who want a place at once one gets it', async (t) => {
    const handle = open(t);
    const stores = [handle(), handle()];
    const wanting = Array.from({ length: 20 }, (_, index) =>
      (stores[index % 2] as StreamStore).holdPlace(session, `holder ${index}`, 0, 10),
    );
    assert.equal((await Promise.all(wanting)).filter((held) => held !== undefined).length, 1);
  });

  test('a reader that was only held is unknown after its release', async (t) => {
    const store = open(t)();
    await store.holdPlace(session, 'a', 0, 10);
    await store.releasePlace(session, 'a');
    assert.equal(await store.removePlace(session), false);
  });

  test('a reader that was removed begins anew', async (t) => {
    const store = open(t)();
    await store.holdPlace(session, 'a', 0, 10);
    await store.movePlace(session, 'a', 5, 1);
    assert.equal(await store.removePlace(session), true);
    assert.equal(await store.movePlace(session, 'a', 6, 2), false);
    assert.deepEqual(await store.holdPlace(session, 'b', 3, 10), { place: undefined });
  });

  test('idle readers of a kind are forgotten, others stay', async (t) => {
    const store = open(t)();
    for (const [name, movedMs] of [
      ['session:old', 10],
      ['session:new', 30],
      ['stage', 10],
    ] as const) {
      const reader = { stream: 'feed-nod', name };
      await store.holdPlace(reader, 'a', 0, 5);
      await store.movePlace(reader, 'a', 1, movedMs);
      await store.releasePlace(reader, 'a');
    }
    await store.removeIdlePlaces('feed-nod', 'session:', 20);
    const found = ['session:old', 'session:new', 'stage'].map((name) =>
      store.findPlace({ stream: 'feed-nod', name }),
    );
    assert.deepEqual(
      (await Promise.all(found)).map((known) => known?.place),
      [undefined, 1, 1],
    );
  });
}

function marks(open: OpenStreamStore): void {
  const lines = [{ stream: 'ch212', bytes: bytes('a\n') }];

  test('an append with a mark happens once', async (t) => {
    const handle = open(t);
    const mark = { writer: 'import:1', from: undefined, to: '1' };
    const outcomes = await Promise.all([
      handle().append(lines, noonMs, mark),
      handle().append(lines, noonMs, mark),
    ]);
    const store = handle();
    assert.deepEqual(outcomes.sort(), [false, true]);
    assert.equal(await contentOf(store, 'ch212'), 'a\n');
    assert.equal(await store.findMark('import:1'), '1');
  });

  test('a mark moves on from where it stands, and from nowhere else', async (t) => {
    const store = open(t)();
    await store.append(lines, noonMs, { writer: 'w', from: undefined, to: '1' });
    assert.equal(await store.append(lines, noonMs, { writer: 'w', from: '2', to: '3' }), false);
    assert.equal(await store.append(lines, noonMs, { writer: 'w', from: '1', to: '2' }), true);
    assert.equal(await store.append([], noonMs, { writer: 'w', from: '2', to: 'done' }), true);
    assert.equal(await store.findMark('w'), 'done');
  });

  test('idle marks of a kind are forgotten', async (t) => {
    const store = open(t)();
    await store.append([], 10, { writer: 'ingest:1', from: undefined, to: '1' });
    await store.append([], 10, { writer: 'news', from: undefined, to: '1' });
    await store.removeIdleMarks('ingest:', 20);
    assert.deepEqual([await store.findMark('ingest:1'), await store.findMark('news')], [undefined, '1']);
  });
}

function properties(open: OpenStreamStore): void {
  test('any appends read as their concatenation, between any two places, whatever was pruned', async (t) => {
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
          await store.prune('ch212', noon + pruneMinutes);
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
      { numRuns: 20 },
    );
  });
}

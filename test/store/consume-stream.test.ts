import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { consumeStream } from '../../src/store/consume-stream.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../../src/store/stream-store.ts';
import { bytes, contentOf } from '../conformance/stream-store.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { TestClock } from '../harness/test-clock.ts';

const stage = { stream: 'feed-nod', name: 'matcher' };

function setUp(t: TestContext) {
  const directory = temporaryDirectory(t);
  const clock = new TestClock();
  const stores: StreamStore[] = [];
  t.after(async () => {
    for (const store of stores) await store.close();
  });
  const open = () => {
    const store = openStreamStore(directory);
    stores.push(store);
    return store;
  };
  const append = (store: StreamStore, text: string) =>
    store.append([{ stream: 'feed-nod', bytes: bytes(text) }], clock.now());
  return { clock, open, append };
}

test('a stage gets every line once, in order, over several calls', async (t) => {
  const { clock, open, append } = setUp(t);
  const streams = open();
  const taken: string[] = [];
  for (const text of ['a\nb\n', '', 'c\n']) {
    if (text) await append(streams, text);
    const outcome = await consumeStream(stage, { streams, clock }, async (delivery) => {
      taken.push(Buffer.from(delivery.bytes).toString());
    });
    assert.equal(outcome, 'done');
  }
  assert.equal(taken.join(''), 'a\nb\nc\n');
});

test('a stage that failed gets the same lines again', async (t) => {
  const { clock, open, append } = setUp(t);
  const streams = open();
  await append(streams, 'a\n');
  await assert.rejects(consumeStream(stage, { streams, clock }, () => Promise.reject(new Error('no'))));
  const taken: string[] = [];
  await consumeStream(stage, { streams, clock }, async (delivery) => {
    taken.push(Buffer.from(delivery.bytes).toString());
  });
  assert.deepEqual(taken, ['a\n']);
});

test('two processes are one stage: while one takes, the other is told so', async (t) => {
  const { clock, open, append } = setUp(t);
  const [one, other] = [open(), open()];
  await append(one, 'a\n');
  const outcomes: string[] = [];
  await consumeStream(stage, { streams: one, clock }, async () => {
    outcomes.push(
      await consumeStream(stage, { streams: other, clock }, async () => assert.fail('taken twice')),
    );
  });
  assert.deepEqual(outcomes, ['busy']);
});

test('a stage that begins late begins with what is kept', async (t) => {
  const { clock, open, append } = setUp(t);
  const streams = open();
  await append(streams, 'a\n');
  clock.advanceSeconds(60);
  await append(streams, 'b\n');
  await streams.prune('feed-nod', Math.floor(clock.now() / 60_000));
  const taken: string[] = [];
  await consumeStream(stage, { streams, clock }, async (delivery) => {
    taken.push(Buffer.from(delivery.bytes).toString());
  });
  assert.deepEqual(taken, ['b\n']);
});

test('with a mark, the effect of each line is there once however often the stage is broken off', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('append', 'take', 'break before', 'break after', 'two takes'), {
        maxLength: 25,
      }),
      async (steps) => {
        const { clock, open, append } = setUp(t);
        const [one, other] = [open(), open()];
        let whole = '';
        const copy =
          (streams: StreamStore, fails: 'before' | 'after' | 'never') =>
          async ({ bytes: lines, from, to }: { bytes: Uint8Array; from: number; to: number }) => {
            if (fails === 'before') throw new Error('broken off');
            const stands = Number((await streams.findMark('copy')) ?? 0);
            const mark = { writer: 'copy', from: stands === 0 ? undefined : String(stands), to: String(to) };
            // What an earlier attempt has written is not written again.
            const fresh = lines.subarray(Math.max(0, stands - from));
            await streams.append([{ stream: 'ch9', bytes: Buffer.from(fresh) }], clock.now(), mark);
            if (fails === 'after') throw new Error('broken off');
          };
        const take = (streams: StreamStore, fails: 'before' | 'after' | 'never') =>
          consumeStream(stage, { streams, clock }, copy(streams, fails)).catch(() => undefined);
        for (const [index, step] of steps.entries()) {
          if (step === 'append') {
            await append(one, `line ${index}\n`);
            whole += `line ${index}\n`;
          } else if (step === 'two takes') await Promise.all([take(one, 'never'), take(other, 'never')]);
          else
            await take(
              index % 2 ? one : other,
              step === 'take' ? 'never' : step === 'break after' ? 'after' : 'before',
            );
        }
        await take(one, 'never');
        assert.equal(await contentOf(one, 'ch9'), whole);
        await Promise.all([one.close(), other.close()]);
      },
    ),
    { numRuns: 15 },
  );
});

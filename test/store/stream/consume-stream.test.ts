import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { consumeStream } from '../../../src/store/stream/consume-stream.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { bytes, contentOf } from '../../conformance/stream-store.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const consumer = { stream: 'feed-nod', name: 'matcher' };

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

test('a consumer gets every line once, in order, over several calls', async (t) => {
  const { clock, open, append } = setUp(t);
  const streams = open();
  const received: string[] = [];
  for (const text of ['a\nb\n', '', 'c\n']) {
    if (text) await append(streams, text);
    const outcome = await consumeStream(consumer, { streams, clock }, async (delivery) => {
      received.push(Buffer.from(delivery.bytes).toString());
    });
    assert.equal(outcome, 'done');
  }
  assert.equal(received.join(''), 'a\nb\nc\n');
});

test('a consumer that failed gets the same lines again', async (t) => {
  const { clock, open, append } = setUp(t);
  const streams = open();
  await append(streams, 'a\n');
  await assert.rejects(consumeStream(consumer, { streams, clock }, () => Promise.reject(new Error('no'))));
  const received: string[] = [];
  await consumeStream(consumer, { streams, clock }, async (delivery) => {
    received.push(Buffer.from(delivery.bytes).toString());
  });
  assert.deepEqual(received, ['a\n']);
});

test('while one process consumes, another one of the same consumer is busy', async (t) => {
  const { clock, open, append } = setUp(t);
  const [one, other] = [open(), open()];
  await append(one, 'a\n');
  const outcomes: string[] = [];
  await consumeStream(consumer, { streams: one, clock }, async () => {
    outcomes.push(
      await consumeStream(consumer, { streams: other, clock }, async () => assert.fail('delivered twice')),
    );
  });
  assert.deepEqual(outcomes, ['busy']);
});

test('a new consumer starts with the first line that is kept', async (t) => {
  const { clock, open, append } = setUp(t);
  const streams = open();
  await append(streams, 'a\n');
  clock.advanceSeconds(60);
  await append(streams, 'b\n');
  await streams.pruneSegments('feed-nod', Math.floor(clock.now() / 60_000));
  const received: string[] = [];
  await consumeStream(consumer, { streams, clock }, async (delivery) => {
    received.push(Buffer.from(delivery.bytes).toString());
  });
  assert.deepEqual(received, ['b\n']);
});

test('with a producer mark each line has its effect exactly once, however often the consumer is interrupted', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('append', 'consume', 'fail before', 'fail after', 'two processes'), {
        maxLength: 25,
      }),
      async (steps) => {
        const { clock, open, append } = setUp(t);
        const [one, other] = [open(), open()];
        let whole = '';
        const copy =
          (streams: StreamStore, fails: 'before' | 'after' | 'never') =>
          async ({ bytes: lines, from, to }: { bytes: Uint8Array; from: number; to: number }) => {
            if (fails === 'before') throw new Error('interrupted');
            const written = Number((await streams.findProducerMark('copy')) ?? 0);
            const mark = {
              producer: 'copy',
              from: written === 0 ? undefined : String(written),
              to: String(to),
            };
            // What an earlier attempt has written is not written again.
            const fresh = lines.subarray(Math.max(0, written - from));
            await streams.append([{ stream: 'ch9', bytes: Buffer.from(fresh) }], clock.now(), mark);
            if (fails === 'after') throw new Error('interrupted');
          };
        const consume = (streams: StreamStore, fails: 'before' | 'after' | 'never') =>
          consumeStream(consumer, { streams, clock }, copy(streams, fails)).catch(() => undefined);
        for (const [index, step] of steps.entries()) {
          if (step === 'append') {
            await append(one, `line ${index}\n`);
            whole += `line ${index}\n`;
          } else if (step === 'two processes')
            await Promise.all([consume(one, 'never'), consume(other, 'never')]);
          else
            await consume(
              index % 2 ? one : other,
              step === 'consume' ? 'never' : step === 'fail after' ? 'after' : 'before',
            );
        }
        await consume(one, 'never');
        assert.equal(await contentOf(one, 'ch9'), whole);
        await Promise.all([one.close(), other.close()]);
      },
    ),
    { numRuns: propertyRuns(8) },
  );
});

test('nothing is written for a consumer that has read everything', async (t) => {
  const { clock, open, append } = setUp(t);
  const streams = open();
  await append(streams, 'a\n');
  const ignore = async () => undefined;
  await consumeStream(consumer, { streams, clock }, ignore);
  const before = await streams.findOffset(consumer);
  clock.advanceSeconds(60);
  assert.equal(await consumeStream(consumer, { streams, clock }, ignore), 'done');
  assert.deepEqual(await streams.findOffset(consumer), before);
});

/** Batches are written side by side and become durable in their order, whatever fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { parseName } from '../../../src/model/dns/name.ts';
import type { Rrset, WireName } from '../../../src/model/dns/rrset.ts';
import { BatchIntake, type BatchProgress } from '../../../src/store/rrset/batch-intake.ts';

/** Some hundred of them fill a batch. */
const large: Rrset = {
  owner: parseName('www.example.com') as WireName,
  bailiwick: parseName('example.com') as WireName,
  type: 16,
  rdata: [new Uint8Array(60_000)],
  firstSeconds: 1_700_000_000,
  lastSeconds: 1_700_000_000,
  count: 1,
  origin: 'sensor',
};

interface Write {
  readonly progress: BatchProgress;
  readonly prepared: PromiseWithResolvers<void>;
}

/** An intake whose batches are prepared when the test says so, and written as an adapter does: after the earlier ones. */
function intakeOf() {
  const writes: Write[] = [];
  const durable: number[] = [];
  const intake = new BatchIntake(
    {
      write: async (_, progress) => {
        const prepared = Promise.withResolvers<void>();
        writes.push({ progress, prepared });
        await prepared.promise;
        await progress.earlier;
        durable.push(progress.observations);
      },
      complete: async () => undefined,
    },
    0,
  );
  /** Adds observations until another batch is full; gives what `add` returned last. */
  const fillBatch = () => {
    const before = writes.length;
    let room: Promise<void> | undefined;
    while (writes.length === before) room = intake.add(large);
    return room;
  };
  return { intake, writes, durable, fillBatch };
}

function writeAt(writes: readonly Write[], index: number): Write {
  const found = writes[index];
  assert.ok(found, `write ${index}`);
  return found;
}

test('a second batch is written beside the first, and is durable after it', async () => {
  const { intake, writes, durable, fillBatch } = intakeOf();
  assert.equal(fillBatch(), undefined, 'there is room for another batch');
  const room = fillBatch();
  assert.ok(room, 'two batches are being written');
  writeAt(writes, 1).prepared.resolve();
  await nextIteration();
  assert.deepEqual([durable, intake.durable], [[], 0]);
  writeAt(writes, 0).prepared.resolve();
  await room;
  await intake.flush();
  const [first, second] = writes.map(({ progress }) => progress.observations);
  assert.deepEqual(durable, [first, second]);
  assert.equal(intake.durable, second);
});

test('a batch that cannot be written takes the next one with it, and a flush retries both in their order', async () => {
  const { intake, writes, durable, fillBatch } = intakeOf();
  void fillBatch();
  const room = fillBatch();
  writeAt(writes, 1).prepared.resolve();
  writeAt(writes, 0).prepared.reject(new Error('no space left'));
  await assert.rejects(async () => await room, /no space left/);
  assert.deepEqual([durable, intake.durable], [[], 0]);
  const flushing = intake.flush();
  await nextIteration();
  for (const { prepared } of writes.slice(2)) prepared.resolve();
  await flushing;
  assert.equal(writes.length, 4);
  assert.deepEqual(
    durable,
    writes.slice(0, 2).map(({ progress }) => progress.observations),
  );
});

test('a batch that fails after the one before it is durable is retried alone', async () => {
  const { intake, writes, durable, fillBatch } = intakeOf();
  void fillBatch();
  const room = fillBatch();
  writeAt(writes, 0).prepared.resolve();
  writeAt(writes, 1).prepared.reject(new Error('no space left'));
  await room;
  const first = writeAt(writes, 0).progress.observations;
  assert.equal(intake.durable, first);
  const flushing = intake.flush();
  await nextIteration();
  writeAt(writes, 2).prepared.resolve();
  await flushing;
  assert.equal(writeAt(writes, 2).progress.before, first);
  assert.equal(durable.length, 2);
});

test('what is added while nothing can be written is kept, and written in its order', async () => {
  const { intake, writes, durable, fillBatch } = intakeOf();
  void fillBatch();
  writeAt(writes, 0).prepared.reject(new Error('no space left'));
  await nextIteration();
  const room = fillBatch();
  assert.equal(writes.length, 3, 'the first is written again with the second');
  for (const { prepared } of writes.slice(1)) prepared.resolve();
  await room;
  await intake.flush();
  assert.deepEqual(
    durable,
    writes.slice(1).map(({ progress }) => progress.observations),
  );
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { type ErrorIntake, openErrorIntake } from '../../../src/collect/dns-errors/error-intake.ts';
import { readConfig } from '../../../src/config.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { dnsError, soaRecord, type WrittenError } from '../../harness/network/dns-errors.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

type Append = StreamStore['append'];

interface Tried {
  readonly intake: ErrorIntake;
  readonly streams: StreamStore;
  readonly clock: TestClock;
  /** Called before each append, which it may delay or fail. */
  append: Append;
  readonly names: (channel: number) => Promise<string[]>;
}

async function trying(t: TestContext, channels?: Record<string, unknown>): Promise<Tried> {
  const streams = openStreamStore(temporaryDirectory(t));
  t.after(() => streams.close());
  const clock = new TestClock();
  const flags = channels ? { 'batch.channels': { flag: '--set', text: JSON.stringify(channels) } } : {};
  const { settings } = readConfig({ environment: {}, flags });
  const tried = {
    streams,
    clock,
    append: (...args: Parameters<Append>) => streams.append(...args),
    names: async (channel: number) =>
      (await linesOf(streams, `ch${channel}`)).map((line) => JSON.parse(line).message.qname as string),
  };
  const append: Append = (...args) => tried.append(...args);
  const faulty = {
    append,
    findProducerMark: (producer: string) => streams.findProducerMark(producer),
    removeIdleProducerMarks: (prefix: string, beforeMs: number) =>
      streams.removeIdleProducerMarks(prefix, beforeMs),
  };
  return Object.assign(tried, { intake: await openErrorIntake({ streams: faulty, clock, settings }) });
}

async function linesOf(streams: StreamStore, stream: string): Promise<string[]> {
  const state = await streams.findState(stream);
  const range = state && (await streams.openRange(stream, state.start, state.end));
  if (!range) return [];
  const pieces: Buffer[] = [];
  for await (const piece of range.read()) pieces.push(Buffer.from(piece));
  await range.close();
  return Buffer.concat(pieces).toString().trimEnd().split('\n');
}

const named = (index: number) => `n${index}.example.com`;
const shownNames = (indices: readonly number[]) => indices.map((index) => `${named(index)}.`);

/** About 90 kB as a line. */
const large = (index: number): WrittenError => ({
  name: named(index),
  records: [{ owner: 'x', type: 65_280, rdata: [Buffer.alloc(60_000)] }],
});

test('channel 220 has every error, 221 each once an hour', async (t) => {
  const { intake, clock, names } = await trying(t);
  for (const pauseSeconds of [0, 0, 3599, 1]) {
    clock.advanceSeconds(pauseSeconds);
    await intake.add(dnsError({ name: 'a.example', records: [soaRecord] }));
    await intake.add(dnsError({ name: 'A.Example' }));
  }
  await intake.flush();
  assert.deepEqual(await names(220), Array(8).fill('a.example.'));
  assert.deepEqual(await names(221), ['a.example.', 'a.example.']);
});

test('another name, type, class or code is another error', async (t) => {
  const { intake, streams } = await trying(t);
  const ones = [
    { name: 'a.example' },
    { name: 'b.example' },
    { name: 'a.example', type: 28 },
    { name: 'a.example', class: 3 },
    { name: 'a.example', rcode: 2 },
  ];
  for (const one of [...ones, ...ones]) await intake.add(dnsError(one));
  await intake.flush();
  const shown = (await linesOf(streams, 'ch221')).map((line) => {
    const { qname, qtype, qclass, rcode } = JSON.parse(line).message;
    return `${qname} ${qtype} ${qclass} ${rcode}`;
  });
  assert.deepEqual(shown, [
    'a.example. A IN NXDOMAIN',
    'b.example. A IN NXDOMAIN',
    'a.example. AAAA IN NXDOMAIN',
    'a.example. A CH NXDOMAIN',
    'a.example. A IN SERVFAIL',
  ]);
});

test('a channel that is not configured receives nothing', async (t) => {
  const channel = { description: 'x', mimetype: 'application/x-ndjson' };
  for (const [declared, expected] of [
    [{ '220': channel }, ['ch220']],
    [{ '221': channel }, ['ch221']],
    [{ '212': channel }, []],
  ] as const) {
    const { intake, streams } = await trying(t, declared);
    await intake.add(dnsError({ name: 'a.example' }));
    await intake.flush();
    assert.deepEqual(await streams.listStreams(), expected);
  }
});

test('lines have the minute of the append, and a full batch is appended without a flush', async (t) => {
  const { intake, clock, streams, names } = await trying(t);
  await intake.add(dnsError({ name: named(0) }));
  assert.equal(await streams.findState('ch220'), undefined);
  clock.set('2026-03-04T10:30:00Z');
  let added = 1;
  for (; !(await streams.findState('ch220')); added++) await intake.add(dnsError(large(added)));
  const state = await streams.findState('ch220');
  assert.equal(state?.latestMinute, Date.parse('2026-03-04T10:30:00Z') / 60_000);
  await intake.flush();
  assert.deepEqual(await names(220), shownNames([...Array(added).keys()]));
});

test('a batch that could not be appended is retried, and every line is appended exactly once', async (t) => {
  const tried = await trying(t);
  const { append } = tried;
  tried.append = () => Promise.reject(new Error('no space left'));
  await tried.intake.add(dnsError({ name: named(1) }));
  await assert.rejects(tried.intake.flush(), /no space left/);
  await tried.intake.add(dnsError({ name: named(2) }));
  await assert.rejects(tried.intake.flush(), /no space left/);
  tried.append = append;
  await tried.intake.flush();
  assert.deepEqual(await tried.names(220), shownNames([1, 2]));
  assert.deepEqual(await tried.names(221), shownNames([1, 2]));
});

test('a batch that was appended although the call failed is not appended again', async (t) => {
  const tried = await trying(t);
  const { append } = tried;
  tried.append = async (...args) => {
    await append(...args);
    throw new Error('the thread ended');
  };
  await tried.intake.add(dnsError({ name: named(1) }));
  await assert.rejects(tried.intake.flush(), /the thread ended/);
  tried.append = append;
  await tried.intake.add(dnsError({ name: named(2) }));
  await tried.intake.flush();
  assert.deepEqual(await tried.names(220), shownNames([1, 2]));
});

test('producer marks of ended processes are removed after a day, and a running process whose mark was removed continues', async (t) => {
  const { intake, clock, streams, names } = await trying(t);
  const { settings } = readConfig({ environment: {}, flags: {} });
  for (const index of [1, 2]) {
    await intake.add(dnsError({ name: named(index) }));
    await intake.flush();
    clock.advanceSeconds(86_401);
    await openErrorIntake({ streams, clock, settings });
  }
  await intake.add(dnsError({ name: named(3) }));
  await intake.flush();
  assert.deepEqual(await names(220), shownNames([1, 2, 3]));
});

test('add waits while the store is behind (backpressure) and completes when there is room', async (t) => {
  const tried = await trying(t);
  const { intake, append } = tried;
  const disk = Promise.withResolvers<void>();
  tried.append = async (...args) => {
    await disk.promise;
    return append(...args);
  };
  let added = 0;
  let room: Promise<void> | undefined;
  while (!room) room = intake.add(dnsError(large(added++)));
  assert.ok(added > 20 && added < 60, String(added));
  const others = [added++, added++].map((index) => intake.add(dnsError(large(index))));
  assert.ok(others.every((other) => other instanceof Promise));
  disk.resolve();
  await Promise.all([room, ...others]);
  await intake.flush();
  assert.deepEqual(await tried.names(220), shownNames([...Array(added).keys()]));
});

test('an error is not added when a store that is behind fails', async (t) => {
  const tried = await trying(t);
  const { intake, append } = tried;
  tried.append = () => Promise.reject(new Error('no space left'));
  let taken = 0;
  for (; ; taken++) {
    const room = intake.add(dnsError(large(taken)));
    if (!room) continue;
    await assert.rejects(room, /no space left/);
    break;
  }
  await assert.rejects(Promise.resolve(intake.add(dnsError(large(1000)))), /no space left/);
  await assert.rejects(intake.flush(), /no space left/);
  tried.append = append;
  await intake.flush();
  assert.deepEqual(await tried.names(220), shownNames([...Array(taken).keys()]));
});

test('whatever fails and when, each error is appended exactly once and in order after a successful flush', async (t) => {
  const tried = await trying(t);
  const { append, intake } = tried;
  let failure = 'none';
  tried.append = async (...args) => {
    const kind = failure;
    failure = 'none';
    if (kind === 'fail before') throw new Error(kind);
    const moved = await append(...args);
    if (kind === 'fail after') throw new Error(kind);
    return moved;
  };
  let added = 0;
  const step = fc.constantFrom('add', 'add', 'flush', 'fail before', 'fail after');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      for (const each of steps) {
        if (each === 'add') assert.equal(intake.add(dnsError({ name: named(added++) })), undefined);
        else if (each === 'flush') await intake.flush().catch(() => undefined);
        else failure = each;
      }
      failure = 'none';
      await intake.flush();
      assert.deepEqual(await tried.names(220), shownNames([...Array(added).keys()]));
    }),
    { numRuns: 50 },
  );
});

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ErrorIntake, openErrorIntake } from '../../../src/collect/dns-errors/error-intake.ts';
import {
  type DnstapEvent,
  type DnstapListener,
  type DnstapListenerOptions,
  listenDnstap,
} from '../../../src/collect/dnstap/listener.ts';
import { TimeSlice } from '../../../src/concurrency/time-slice.ts';
import { readConfig } from '../../../src/config.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { RecordingIntake } from '../../harness/fixtures/recording-intake.ts';
import { errorFrame } from '../../harness/network/dns-errors.ts';
import { encodeMessage, wireName } from '../../harness/network/encode-dns-message.ts';
import * as written from '../../harness/network/encode-dnstap.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const { ready, start, stop, accept, finish, dataFrame, controlFrame } = written;

/** An answer of one RRset. */
function answer(last: number): Buffer {
  const records = [{ owner: 'www.example.com', type: 1, rdata: [Uint8Array.of(192, 0, 2, last)] }];
  const message = encodeMessage({ records });
  return dataFrame(written.encodeDnstap({ zone: wireName('example.com'), message }));
}

const malformed = dataFrame(Buffer.from('no protobuf'));

interface Listening {
  readonly listener: DnstapListener;
  readonly intake: RecordingIntake;
  readonly events: readonly DnstapEvent[];
  readonly unixPath: string;
  /** Resolves with the first event of this name. */
  readonly event: <Name extends DnstapEvent['event']>(
    name: Name,
  ) => Promise<Extract<DnstapEvent, { event: Name }>>;
}

async function listening(
  t: TestContext,
  options: DnstapListenerOptions = {},
  errors?: Pick<ErrorIntake, 'add' | 'flush'>,
): Promise<Listening> {
  const unixPath = join(temporaryDirectory(t), 'dnstap.sock');
  const intake = new RecordingIntake();
  const [events, emitter]: [DnstapEvent[], EventEmitter] = [[], new EventEmitter()];
  const report = (event: DnstapEvent) => {
    events.push(event);
    emitter.emit('event');
  };
  const clock = new TestClock('2026-03-03T12:00:00Z');
  const listener = await listenDnstap(
    { unixPath, flushSeconds: 3600, ...options },
    { intake, errors, clock, report },
  );
  t.after(() => listener.close().catch(() => undefined));
  const event: Listening['event'] = async (name) => {
    for (;;) {
      const found = events.find((each) => each.event === name);
      if (found) return found as Extract<DnstapEvent, { event: typeof name }>;
      await once(emitter, 'event');
    }
  };
  return { listener, intake, events, unixPath, event };
}

interface Writer {
  readonly socket: Socket;
  /** All bytes received so far. */
  readonly received: () => Buffer;
  /** Resolves when the peer has closed, with all bytes received. */
  readonly ended: Promise<Buffer>;
}

async function writer(t: TestContext, where: string | number): Promise<Writer> {
  const socket = typeof where === 'string' ? connect(where) : connect(where, '127.0.0.1');
  t.after(() => socket.destroy());
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  const ended = new Promise<Buffer>((resolve) => socket.on('close', () => resolve(Buffer.concat(chunks))));
  await once(socket, 'connect');
  return { socket, received: () => Buffer.concat(chunks), ended };
}

const lastBytes = (intake: RecordingIntake) => intake.added.map(({ rdata }) => rdata[0]?.at(-1));

test('over a Unix socket a bidirectional writer is accepted, read, and sent FINISH when its data is durable', async (t) => {
  const { intake, unixPath, listener } = await listening(t);
  const { socket, ended } = await writer(t, unixPath);
  socket.write(Buffer.concat([ready, start, answer(1), answer(2), stop]));
  assert.deepEqual(await ended, Buffer.concat([accept, finish]));
  assert.deepEqual(lastBytes(intake), [1, 2]);
  assert.equal(intake.durable, 2);
  const { connections: _, ...counts } = listener.statistics();
  const none = { behind: 0, errors: 0, ignored: 0, malformed: 0, refused: 0 };
  assert.deepEqual(counts, { ...none, frames: 2, observations: 2 });
});

test('FINISH is sent only after the flush', async (t) => {
  const { intake, unixPath } = await listening(t);
  const disk = Promise.withResolvers<void>();
  intake.durability = () => disk.promise;
  const { socket, ended, received } = await writer(t, unixPath);
  socket.write(Buffer.concat([ready, start, answer(1), stop]));
  await intake.until(({ flushes }) => flushes >= 1);
  for (let turn = 0; turn < 10; turn++) await yieldToEventLoop();
  assert.deepEqual(received(), accept);
  disk.resolve();
  assert.deepEqual(await ended, Buffer.concat([accept, finish]));
});

test('over TCP a unidirectional writer is read and gets no reply', async (t) => {
  const { intake, listener } = await listening(t, { port: 0 });
  const { socket, ended } = await writer(t, listener.port ?? 0);
  socket.write(Buffer.concat([start, answer(7), stop]));
  assert.deepEqual(await ended, Buffer.alloc(0));
  assert.deepEqual(lastBytes(intake), [7]);
});

test('Unix socket and TCP are open concurrently, and each supports both modes, byte by byte too', async (t) => {
  const { intake, listener, unixPath } = await listening(t, { port: 0 });
  const streams = [
    [unixPath, [start, answer(1), stop]],
    [unixPath, [ready, start, answer(2), stop]],
    [listener.port ?? 0, [start, answer(3), stop]],
    [listener.port ?? 0, [ready, start, answer(4), stop]],
  ] as const;
  await Promise.all(
    streams.map(async ([where, parts]) => {
      const { socket, ended } = await writer(t, where);
      socket.setNoDelay(true);
      for (const byte of Buffer.concat(parts)) {
        socket.write(Uint8Array.of(byte));
        await yieldToEventLoop();
      }
      await ended;
    }),
  );
  assert.deepEqual(new Set(lastBytes(intake)), new Set([1, 2, 3, 4]));
});

test('a stream that ends without STOP is kept', async (t) => {
  const { intake, unixPath } = await listening(t);
  const { socket, ended } = await writer(t, unixPath);
  socket.end(Buffer.concat([start, answer(1), answer(2).subarray(0, 20)]));
  await ended;
  assert.deepEqual(lastBytes(intake), [1]);
});

test('a writer that closes its end after STOP still gets FINISH', async (t) => {
  const { intake, unixPath } = await listening(t);
  const disk = Promise.withResolvers<void>();
  intake.durability = () => disk.promise;
  const { socket, ended } = await writer(t, unixPath);
  socket.end(Buffer.concat([ready, start, answer(1), stop]));
  await intake.until(({ flushes }) => flushes >= 1);
  for (let turn = 0; turn < 10; turn++) await yieldToEventLoop();
  disk.resolve();
  assert.deepEqual(await ended, Buffer.concat([accept, finish]));
});

test('a writer that disconnected before FINISH causes no error', async (t) => {
  const { intake, unixPath, event, events } = await listening(t);
  const disk = Promise.withResolvers<void>();
  intake.durability = () => disk.promise;
  const { socket } = await writer(t, unixPath);
  socket.write(Buffer.concat([ready, start, answer(1), stop]));
  await intake.until(({ flushes }) => flushes >= 1);
  socket.destroy();
  await once(socket, 'close');
  disk.resolve();
  await event('disconnected');
  assert.deepEqual(
    events.map((each) => each.event),
    ['listening', 'connected', 'disconnected'],
  );
});

test('data without STOP is flushed after an interval, once for many frames', async (t) => {
  const { intake, unixPath } = await listening(t, { flushSeconds: 0.05 });
  const { socket } = await writer(t, unixPath);
  socket.write(Buffer.concat([start, answer(1), answer(2), answer(3)]));
  await intake.until(({ durable }) => durable >= 3);
  assert.equal(intake.flushes, 1);
});

test('a slow store pauses reading (backpressure), and nothing is lost', async (t) => {
  const { intake, unixPath, listener } = await listening(t);
  const room = Promise.withResolvers<void>();
  intake.room = () => room.promise;
  const { socket, ended } = await writer(t, unixPath);
  const frames = 10_000;
  const oneAnswer = answer(1);
  socket.write(Buffer.concat([start, ...Array.from({ length: frames }, () => oneAnswer), stop]));
  await intake.until(({ added }) => added.length >= 1);
  for (let turn = 0; turn < 50; turn++) await yieldToEventLoop();
  assert.equal(listener.statistics().frames, 1);
  assert.ok(socket.writableNeedDrain);
  room.resolve();
  await ended;
  assert.equal(intake.added.length, frames);
});

test('a connection is behind while its writer has sent more than was read, for over a second', async (t) => {
  const { intake, unixPath, listener } = await listening(t);
  const room = Promise.withResolvers<void>();
  intake.room = () => room.promise;
  const { socket, ended } = await writer(t, unixPath);
  socket.write(Buffer.concat([ready, start, answer(1), answer(2)]));
  await intake.until(({ added }) => added.length === 1);
  assert.equal(listener.statistics().behind, 0);
  const nowMs = performance.now();
  const clock = t.mock.method(performance, 'now', () => nowMs + 1100);
  assert.equal(listener.statistics().behind, 1);
  clock.mock.restore();
  room.resolve();
  await intake.until(({ added }) => added.length === 2);
  for (let turn = 0; turn < 10; turn++) await yieldToEventLoop();
  t.mock.method(performance, 'now', () => nowMs + 1100);
  assert.equal(listener.statistics().behind, 0, 'nothing is left to read');
  socket.write(stop);
  await ended;
});

test('malformed and disabled frames are skipped and counted, and few of them are reported', async (t) => {
  const { intake, unixPath, listener, events } = await listening(t);
  const { socket, ended } = await writer(t, unixPath);
  const query = dataFrame(written.encodeDnstap({ kind: 3 }));
  const noise = Array.from({ length: 2001 }, () => malformed);
  socket.write(Buffer.concat([start, ...noise, query, query, answer(1), stop]));
  await ended;
  assert.deepEqual(lastBytes(intake), [1]);
  const { frames, observations, ignored, malformed: bad } = listener.statistics();
  assert.deepEqual(
    { frames, observations, ignored, bad },
    { frames: 2004, observations: 1, ignored: 2, bad: 2001 },
  );
  assert.deepEqual(
    events.filter((each) => each.event === 'malformed-frame'),
    [1, 1001, 2001].map((count) => ({ event: 'malformed-frame', reason: 'frame', malformed: count })),
  );
});

test('the configured types are ingested', async (t) => {
  const { intake, unixPath } = await listening(t, { kinds: ['CLIENT_RESPONSE'] });
  const { socket, ended } = await writer(t, unixPath);
  const message = encodeMessage({
    records: [{ owner: 'example.org', type: 1, rdata: [Uint8Array.of(192, 0, 2, 9)] }],
  });
  socket.write(
    Buffer.concat([start, answer(1), dataFrame(written.encodeDnstap({ kind: 6, message })), stop]),
  );
  await ended;
  assert.deepEqual(lastBytes(intake), [9]);
});

for (const [what, parts, reason] of [
  ['a frame that is too long', [start, answer(1), written.u32(0xffff_ffff)], 'frame-too-long'],
  ['a broken control frame', [start, answer(1), written.u32(0, 1)], 'control-malformed'],
  ['another content type', [controlFrame(4, Buffer.from('protobuf:other'))], 'content-type'],
  ['data before START', [answer(1)], 'out-of-order'],
  ['a web request', [Buffer.from('GET / HTTP/1.1\r\n\r\n')], 'frame-too-long'],
] as const) {
  test(`a connection with ${what} is closed with a reason, and others continue`, async (t) => {
    const { intake, unixPath, listener, event } = await listening(t);
    const good = await writer(t, unixPath);
    good.socket.write(start);
    const bad = await writer(t, unixPath);
    bad.socket.write(Buffer.concat(parts));
    assert.deepEqual(await bad.ended, Buffer.alloc(0));
    assert.deepEqual(await event('refused'), { event: 'refused', peer: unixPath, reason });
    assert.equal(listener.statistics().refused, 1);
    good.socket.write(Buffer.concat([answer(5), stop]));
    await good.ended;
    assert.equal(lastBytes(intake).at(-1), 5);
  });
}

test('more connections than allowed are refused until one ends', async (t) => {
  const { unixPath, listener, events } = await listening(t, { connectionsMax: 2 });
  const [first, second] = [await writer(t, unixPath), await writer(t, unixPath)];
  const third = await writer(t, unixPath);
  await third.ended;
  assert.equal(listener.statistics().connections, 2);
  assert.deepEqual(
    events.filter((each) => each.event === 'refused'),
    [{ event: 'refused', peer: unixPath, reason: 'too-many-connections' }],
  );
  first.socket.end();
  await first.ended;
  const fourth = await writer(t, unixPath);
  fourth.socket.write(ready);
  await once(fourth.socket, 'data');
  second.socket.destroy();
});

test('a writer that does not start in time is refused, one that has started may be silent', async (t) => {
  const { unixPath, intake, event } = await listening(t, { handshakeSeconds: 0.1 });
  const begun = await writer(t, unixPath);
  begun.socket.write(Buffer.concat([ready, start]));
  const halfway = await writer(t, unixPath);
  halfway.socket.write(ready);
  assert.deepEqual(await halfway.ended, accept);
  assert.equal((await event('refused')).reason, 'handshake-too-slow');
  begun.socket.write(Buffer.concat([answer(1), stop]));
  assert.deepEqual(await begun.ended, Buffer.concat([accept, finish]));
  assert.deepEqual(lastBytes(intake), [1]);
});

test('a handshake waits for no time slice: that others send much makes no writer too slow', async (t) => {
  const { unixPath, event } = await listening(t, { handshakeSeconds: 0.2 });
  const slice = Promise.withResolvers<void>();
  const waiting = t.mock.method(TimeSlice.prototype, 'yieldIfOver', () => slice.promise);
  const { socket, received } = await writer(t, unixPath);
  socket.write(ready);
  const refused = event('refused').then(() => 'refused');
  const started = async () => {
    await once(socket, 'data');
    socket.write(start);
    return pause(400, 'open');
  };
  const outcome = await Promise.race([refused, started(), pause(5000, 'no answer')]);
  waiting.mock.restore();
  slice.resolve();
  assert.equal(outcome, 'open');
  assert.deepEqual(received(), accept);
});

test('the socket file is writable by owner and group only', async (t) => {
  const { unixPath, events } = await listening(t);
  assert.equal(statSync(unixPath).mode & 0o777, 0o660);
  assert.deepEqual(events, [{ event: 'listening', at: unixPath }]);
});

/** A socket file without a listener, as a killed process leaves it. */
async function leaveStaleSocket(path: string): Promise<void> {
  const server = createServer().listen(`${path}.moved`);
  await once(server, 'listening');
  renameSync(`${path}.moved`, path);
  await once(server.close(), 'close');
  assert.ok(statSync(path).isSocket());
}

test('the socket file of an earlier run is replaced', async (t) => {
  const unixPath = join(temporaryDirectory(t), 'stale.sock');
  await leaveStaleSocket(unixPath);
  const { intake } = await listening(t, { unixPath });
  const { socket, ended } = await writer(t, unixPath);
  socket.write(Buffer.concat([start, answer(1), stop]));
  await ended;
  assert.deepEqual(lastBytes(intake), [1]);
});

test('a socket in use is not replaced, nor is a regular file', async (t) => {
  const { unixPath, intake } = await listening(t);
  await assert.rejects(listening(t, { unixPath }), { code: 'EADDRINUSE' });
  const { socket, ended } = await writer(t, unixPath);
  socket.write(Buffer.concat([start, answer(1), stop]));
  await ended;
  assert.deepEqual(lastBytes(intake), [1]);

  const file = join(temporaryDirectory(t), 'file');
  writeFileSync(file, 'precious');
  await assert.rejects(listening(t, { unixPath: file }), { code: 'EADDRINUSE' });
  assert.equal(statSync(file).size, 8);
});

test('when one of two listeners cannot be opened the other is closed again', async (t) => {
  const { listener } = await listening(t, { port: 0 });
  const unixPath = join(temporaryDirectory(t), 'second.sock');
  await assert.rejects(listening(t, { unixPath, port: listener.port ?? 0 }), { code: 'EADDRINUSE' });
  assert.equal(existsSync(unixPath), false);
});

test('closing ingests what has arrived, makes it durable, and removes the socket file', async (t) => {
  const { unixPath, intake, listener } = await listening(t, { port: 0 });
  const idle = await writer(t, listener.port ?? 0);
  const busy = await writer(t, unixPath);
  busy.socket.write(Buffer.concat([ready, start, answer(1), answer(2)]));
  await intake.until(({ added }) => added.length >= 2);
  await listener.close();
  assert.equal(intake.durable, 2);
  assert.equal(existsSync(unixPath), false);
  assert.deepEqual(await busy.ended, accept);
  await idle.ended;
  await assert.rejects(writer(t, unixPath), { code: 'ENOENT' });
  assert.equal(listener.statistics().connections, 0);
  await listener.close();
});

test('closing waits for a slow store', async (t) => {
  const { unixPath, intake, listener } = await listening(t);
  const room = Promise.withResolvers<void>();
  intake.room = () => room.promise;
  const { socket } = await writer(t, unixPath);
  socket.write(Buffer.concat([start, answer(1), answer(2), answer(3)]));
  await intake.until(({ added }) => added.length >= 1);
  const closed = listener.close();
  room.resolve();
  await closed;
  assert.equal(intake.durable, 3);
});

test('a failing store ends the connection without FINISH, and the listener continues', async (t) => {
  const { unixPath, intake, event } = await listening(t);
  const full = new Error('no space left');
  intake.durability = () => Promise.reject(full);
  const first = await writer(t, unixPath);
  first.socket.write(Buffer.concat([ready, start, answer(1), stop]));
  assert.deepEqual(await first.ended, accept);
  assert.deepEqual(await event('failed'), { event: 'failed', error: full });

  intake.durability = () => Promise.resolve();
  const second = await writer(t, unixPath);
  second.socket.write(Buffer.concat([ready, start, answer(2), stop]));
  assert.deepEqual(await second.ended, Buffer.concat([accept, finish]));
  assert.equal(intake.durable, 2);
});

test('a failed background flush is reported and retried', async (t) => {
  const { unixPath, intake, event } = await listening(t, { flushSeconds: 0.02 });
  let failures = 0;
  intake.durability = () => (failures++ < 2 ? Promise.reject(new Error('busy')) : Promise.resolve());
  const { socket } = await writer(t, unixPath);
  socket.write(Buffer.concat([start, answer(1)]));
  await event('failed');
  await intake.until(({ durable }) => durable >= 1);
  assert.equal(intake.flushes, 3);
});

test('a failing flush makes close reject, after everything else is closed', async (t) => {
  const { unixPath, intake, listener } = await listening(t);
  intake.durability = () => Promise.reject(new Error('no space left'));
  const { socket, ended } = await writer(t, unixPath);
  socket.write(Buffer.concat([start, answer(1)]));
  await intake.until(({ added }) => added.length >= 1);
  await assert.rejects(listener.close(), /no space left/);
  await ended;
  assert.equal(existsSync(unixPath), false);
});

test('an observation that the store refuses ends only that connection', async (t) => {
  const { unixPath, intake, event, listener } = await listening(t);
  intake.room = () => Promise.reject(new Error('refused'));
  const { socket, ended } = await writer(t, unixPath);
  socket.write(Buffer.concat([start, answer(1), answer(2)]));
  await ended;
  assert.match(String((await event('failed')).error), /refused/);
  assert.equal(listener.statistics().frames, 1);
});

const nxdomain = dataFrame(errorFrame({ name: 'missing.example.com' }));

/** An error intake with a real store; `append` may be replaced to make it fail. */
async function errorChannels(t: TestContext) {
  const streams = openStreamStore(temporaryDirectory(t));
  t.after(() => streams.close());
  const channels = {
    streams,
    append: (...args: Parameters<StreamStore['append']>) => streams.append(...args),
    lines: async () => {
      const states = [await streams.findState('ch220'), await streams.findState('ch221')];
      return states.map((state) => state?.lines);
    },
  };
  const faulty: Pick<StreamStore, 'append' | 'findProducerMark' | 'removeIdleProducerMarks'> = {
    append: (...args) => channels.append(...args),
    findProducerMark: (name) => streams.findProducerMark(name),
    removeIdleProducerMarks: (prefix, beforeMs) => streams.removeIdleProducerMarks(prefix, beforeMs),
  };
  const { settings } = readConfig({ environment: {}, flags: {} });
  const clock = new TestClock('2026-03-03T12:00:00Z');
  return Object.assign(channels, { intake: await openErrorIntake({ streams: faulty, clock, settings }) });
}

test('errors are counted, and durable in their channels when FINISH is sent', async (t) => {
  const channels = await errorChannels(t);
  const { unixPath, listener, intake } = await listening(t, {}, channels.intake);
  const { socket, ended } = await writer(t, unixPath);
  socket.write(Buffer.concat([ready, start, nxdomain, answer(1), nxdomain, stop]));
  assert.deepEqual(await ended, Buffer.concat([accept, finish]));
  assert.deepEqual(await channels.lines(), [2, 1]);
  assert.equal(intake.durable, 1);
  const { frames, observations, errors, ignored } = listener.statistics();
  assert.deepEqual(
    { frames, observations, errors, ignored },
    { frames: 3, observations: 1, errors: 2, ignored: 0 },
  );
});

test('without channels errors are only counted', async (t) => {
  const { unixPath, listener } = await listening(t);
  const { socket, ended } = await writer(t, unixPath);
  socket.write(Buffer.concat([ready, start, nxdomain, stop]));
  assert.deepEqual(await ended, Buffer.concat([accept, finish]));
  assert.equal(listener.statistics().errors, 1);
});

test('errors that cannot be stored are reported and retried, and observations become durable regardless', async (t) => {
  const channels = await errorChannels(t);
  const { append } = channels;
  channels.append = () => Promise.reject(new Error('no space left'));
  const { unixPath, listener, intake, event } = await listening(t, { flushSeconds: 0.02 }, channels.intake);
  const { socket } = await writer(t, unixPath);
  socket.write(Buffer.concat([start, nxdomain, answer(1)]));
  assert.match(String((await event('failed')).error), /no space left/);
  await intake.until(({ durable }) => durable === 1);
  assert.deepEqual(await channels.lines(), [undefined, undefined]);
  const appended = Promise.withResolvers<void>();
  channels.append = async (...args) => {
    const moved = await append(...args);
    appended.resolve();
    return moved;
  };
  await appended.promise;
  assert.deepEqual(await channels.lines(), [1, 1]);
  await listener.close();
  assert.deepEqual(await channels.lines(), [1, 1]);
});

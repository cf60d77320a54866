import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type StreamEvent, StreamReader } from '../../../src/collect/dnstap/stream-reader.ts';
import {
  accept,
  contentType,
  controlFrame,
  dataFrame,
  finish,
  ready,
  start,
  stop,
} from '../../harness/network/encode-dnstap.ts';

const payload = Buffer.from('payload');
const data = dataFrame(payload);
const unknown = controlFrame(99);
const otherContent = Buffer.from('protobuf:other');

function eventsOf(over: 'socket' | 'file', ...parts: readonly Uint8Array[]): StreamEvent[] {
  const reader = new StreamReader(over);
  const events: StreamEvent[] = [];
  reader.push(Buffer.concat(parts));
  for (let event = reader.next(); event; event = reader.next()) {
    events.push(event);
    if (event.kind === 'fault') break;
  }
  return events;
}

const summary = (events: readonly StreamEvent[]) =>
  events.map((event) => (event.kind === 'fault' ? `${event.reason} at ${event.offset}` : event.kind));

test('READY is answered with ACCEPT, and STOP with FINISH', () => {
  const events = eventsOf('socket', ready, start, data, data, stop);
  assert.deepEqual(summary(events), ['reply', 'start', 'data', 'data', 'stop']);
  assert.deepEqual(events[0], { kind: 'reply', bytes: accept });
  assert.deepEqual(events.at(-1), { kind: 'stop', reply: finish });
});

test('a stream that begins with START gets no reply', () => {
  const events = eventsOf('socket', start, data, stop);
  assert.deepEqual(summary(events), ['start', 'data', 'stop']);
  assert.deepEqual(events.at(-1), { kind: 'stop', reply: undefined });
});

test('of several content types offered, dnstap is accepted', () => {
  const events = eventsOf('socket', controlFrame(4, otherContent, contentType));
  assert.deepEqual(events, [{ kind: 'reply', bytes: accept }]);
});

for (const [what, bytes] of [
  ['READY without dnstap', [controlFrame(4, otherContent)]],
  ['READY without any', [controlFrame(4)]],
  ['START of another', [controlFrame(2, otherContent)]],
  ['START without any', [controlFrame(2)]],
] as const) {
  test(`a content type that is not dnstap is refused: ${what}`, () => {
    assert.deepEqual(summary(eventsOf('socket', ...bytes)), ['content-type at 0']);
  });
}

test('the content type is checked again after ACCEPT', () => {
  assert.deepEqual(summary(eventsOf('socket', ready, controlFrame(2, otherContent))), [
    'reply',
    'content-type at 42',
  ]);
});

for (const [what, parts] of [
  ['data before START', [data]],
  ['STOP before START', [stop]],
  ['ACCEPT from a writer', [accept]],
] as const) {
  test(`a stream that begins with ${what} is out of order`, () => {
    assert.deepEqual(summary(eventsOf('socket', ...parts)), ['out-of-order at 0']);
  });
}

test('between ACCEPT and START there may be neither data nor a second READY', () => {
  assert.deepEqual(summary(eventsOf('socket', ready, data)), ['reply', 'out-of-order at 42']);
  assert.deepEqual(summary(eventsOf('socket', ready, ready)), ['reply', 'out-of-order at 42']);
});

test('control frames of unknown types are ignored everywhere, known ones inside the data', () => {
  const parts = [unknown, ready, unknown, start, unknown, data, start, ready, data, stop];
  assert.deepEqual(summary(eventsOf('socket', ...parts)), ['reply', 'start', 'data', 'data', 'stop']);
});

test('on a socket nothing is read after STOP', () => {
  assert.deepEqual(summary(eventsOf('socket', start, stop, start, data)), ['start', 'stop']);
});

test('in a file several streams may follow one another, and READY is out of order', () => {
  assert.deepEqual(summary(eventsOf('file', start, data, stop, start, data)), [
    'start',
    'data',
    'stop',
    'start',
    'data',
  ]);
  assert.deepEqual(summary(eventsOf('file', start, stop, data)), ['start', 'stop', 'out-of-order at 54']);
  assert.deepEqual(summary(eventsOf('file', ready)), ['out-of-order at 0']);
});

test('a framing fault ends the stream and has its offset', () => {
  const tooLong = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  assert.deepEqual(summary(eventsOf('socket', start, data, tooLong, data)), [
    'start',
    'data',
    'frame-too-long at 53',
  ]);
});

test('no sequence of frames makes the reader throw, and data comes only after START', () => {
  const frames = fc.array(fc.constantFrom(ready, accept, start, stop, finish, data, unknown), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(frames, fc.constantFrom('socket' as const, 'file' as const), (parts, over) => {
      const kinds = summary(eventsOf(over, ...parts));
      const first = kinds.indexOf('data');
      assert.ok(first === -1 || kinds.slice(0, first).includes('start'));
    }),
  );
});

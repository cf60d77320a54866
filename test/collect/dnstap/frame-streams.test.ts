import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  encodeControl,
  type Frame,
  FrameDecoder,
  frameBytesMax,
} from '../../../src/collect/dnstap/frame-streams.ts';
import * as written from '../../harness/network/encode-dnstap.ts';

/** All frames, with payloads copied, because they may be views of a chunk. */
function framesOf(pieces: readonly Uint8Array[]): Frame[] {
  const decoder = new FrameDecoder();
  const frames: Frame[] = [];
  for (const piece of pieces) {
    decoder.push(piece);
    for (let frame = decoder.next(); frame; frame = decoder.next()) {
      frames.push(frame.kind === 'data' ? { ...frame, payload: Uint8Array.from(frame.payload) } : frame);
      if (frame.kind === 'fault') return frames;
    }
  }
  return frames;
}

function cut(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const at = [0, ...offsets.map((offset) => offset % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

test('control and data frames are read with their offsets', () => {
  const stream = Buffer.concat([written.start, written.dataFrame(Buffer.from('abc')), written.stop]);
  assert.deepEqual(framesOf([stream]), [
    { kind: 'control', offset: 0, type: 'START', contentTypes: ['protobuf:dnstap.Dnstap'] },
    { kind: 'data', offset: 42, payload: Uint8Array.from(Buffer.from('abc')) },
    { kind: 'control', offset: 49, type: 'STOP', contentTypes: [] },
  ]);
});

test('control frames are encoded as by other implementations', () => {
  const head = '0000000000000022000000020000000100000016';
  assert.equal(
    Buffer.from(encodeControl('START', 'protobuf:dnstap.Dnstap')).toString('hex'),
    head + Buffer.from('protobuf:dnstap.Dnstap').toString('hex'),
  );
  assert.deepEqual(Buffer.from(encodeControl('FINISH')), written.finish);
  assert.deepEqual(Buffer.from(encodeControl('ACCEPT', 'protobuf:dnstap.Dnstap')), written.accept);
});

test('a control frame may offer several content types, and have fields of other types', () => {
  const fields = [
    written.u32(9, 2),
    Buffer.from('xy'),
    written.u32(1, 1),
    Buffer.from('a'),
    written.u32(1, 0),
  ];
  const body = Buffer.concat([written.u32(4), ...fields]);
  const [frame] = framesOf([Buffer.concat([written.u32(0, body.length), body])]);
  assert.deepEqual(frame, { kind: 'control', offset: 0, type: 'READY', contentTypes: ['a', ''] });
});

test('a control frame of an unknown type has no type', () => {
  assert.deepEqual(framesOf([written.controlFrame(77)]), [
    { kind: 'control', offset: 0, type: undefined, contentTypes: [] },
  ]);
});

test('a frame of 1 MiB is read, a longer one is a fault with its offset', () => {
  const longest = written.dataFrame(Buffer.alloc(frameBytesMax, 7));
  const frames = framesOf([longest, written.u32(frameBytesMax + 1), Buffer.alloc(100)]);
  assert.equal(frames[0]?.kind === 'data' && frames[0].payload.length, frameBytesMax);
  assert.deepEqual(frames.slice(1), [{ kind: 'fault', offset: longest.length, reason: 'frame-too-long' }]);
});

const malformedControls: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['without a type', written.u32(0, 3)],
  ['of more than 512 bytes', written.u32(0, 513)],
  ['with half a field', Buffer.concat([written.u32(0, 10, 2, 1), Buffer.alloc(2)])],
  ['with a field that runs over the end', Buffer.concat([written.u32(0, 16, 2, 1, 5), Buffer.alloc(4)])],
  ['with a field of more than 256 bytes', Buffer.concat([written.u32(0, 269, 2, 1, 257), Buffer.alloc(257)])],
];
for (const [what, bytes] of malformedControls) {
  test(`a control frame ${what} is a fault`, () => {
    assert.deepEqual(framesOf([bytes]), [{ kind: 'fault', offset: 0, reason: 'control-malformed' }]);
  });
}

test('a control frame of 512 bytes with a field of 256 is read', () => {
  const fields = [written.u32(1, 256), Buffer.alloc(256, 'a'), written.u32(1, 236), Buffer.alloc(236, 'b')];
  const bytes = Buffer.concat([written.u32(0, 512, 2), ...fields]);
  assert.deepEqual(framesOf([bytes]), [
    { kind: 'control', offset: 0, type: 'START', contentTypes: ['a'.repeat(256), 'b'.repeat(236)] },
  ]);
});

test('a fault is final', () => {
  const decoder = new FrameDecoder();
  decoder.push(written.u32(0, 3));
  const fault = decoder.next();
  decoder.push(written.start);
  assert.equal(decoder.next(), fault);
});

const frame = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((payload) => written.dataFrame(payload)),
  fc.constantFrom(written.ready, written.start, written.stop, written.controlFrame(9, Buffer.from('x'))),
);
const stream = fc
  .tuple(fc.array(frame, { maxLength: 12 }), fc.uint8Array({ maxLength: 9 }))
  .map(([frames, rest]) => Buffer.concat([...frames, rest]));
const offsets = fc.array(fc.nat(4000), { maxLength: 30 });

test('the result does not depend on how the stream is split into chunks', () => {
  fc.assert(
    fc.property(stream, offsets, (bytes, at) => {
      const whole = framesOf([bytes]);
      assert.deepEqual(framesOf(cut(bytes, at)), whole);
      assert.deepEqual(framesOf(Array.from(bytes, (byte) => Uint8Array.of(byte))), whole);
    }),
  );
});

test('the offset of an incomplete frame is known', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { minLength: 1, maxLength: 6 }),
      fc.nat(4000),
      offsets,
      (frames, length, at) => {
        const bytes = Buffer.concat(frames);
        const part = bytes.subarray(0, length % (bytes.length + 1));
        const starts = frames.map((_, index) => Buffer.concat(frames.slice(0, index)).length);
        const decoder = new FrameDecoder();
        for (const piece of cut(part, at)) {
          decoder.push(piece);
          while (decoder.next());
        }
        const isBetween = part.length === bytes.length || starts.includes(part.length);
        const open = isBetween ? undefined : starts.findLast((start) => start < part.length);
        assert.equal(decoder.openFrameOffset, open);
      },
    ),
  );
});

test('arbitrary bytes never make the decoder throw', () => {
  const any = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc.uint8Array({ maxLength: 60 }).map((rest) => Buffer.concat([written.u32(0, rest.length), rest])),
  );
  fc.assert(
    fc.property(any, offsets, (bytes, at) => {
      framesOf(cut(bytes, at));
    }),
    { numRuns: 500 },
  );
});

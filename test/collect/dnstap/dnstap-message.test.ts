import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readDnstap } from '../../../src/collect/dnstap/dnstap-message.ts';
import {
  bytesField,
  encodeDnstap,
  fixedField,
  noon,
  numberField,
} from '../../harness/network/encode-dnstap.ts';

const inMessage = (...fields: readonly Buffer[]) => bytesField(14, Buffer.concat(fields));
const kind = numberField(1, 4);

test('a frame yields type, zone, time, response and server address, and nothing about the client', () => {
  const zone = Buffer.from('\x07example\x00');
  const message = Buffer.from('message');
  const read = readDnstap(encodeDnstap({ kind: 6, zone, message }));
  assert.deepEqual(read, {
    kind: 'CLIENT_RESPONSE',
    queryZone: zone,
    responseTimeSeconds: noon,
    responseTimeNanoseconds: 0x04030201,
    responseAddress: Buffer.from([198, 51, 100, 53]),
    responseMessage: message,
  });
});

test('the types have the numbers of the protocol', () => {
  const kindOf = (number: number) => readDnstap(encodeDnstap({ kind: number }))?.kind;
  assert.deepEqual([2, 4, 8, 14].map(kindOf), [
    'AUTH_RESPONSE',
    'RESOLVER_RESPONSE',
    'FORWARDER_RESPONSE',
    'UPDATE_RESPONSE',
  ]);
  assert.deepEqual([0, 15, 4_000_000_000].map(kindOf), [undefined, undefined, undefined]);
});

test('missing fields are undefined, and a missing time is 0', () => {
  assert.deepEqual(readDnstap(inMessage(kind)), {
    kind: 'RESOLVER_RESPONSE',
    queryZone: undefined,
    responseTimeSeconds: 0,
    responseTimeNanoseconds: 0,
    responseAddress: undefined,
    responseMessage: undefined,
  });
});

test('unknown fields are skipped, whatever their width', () => {
  const eight = Buffer.from([((99 * 8 + 1) % 128) | 128, 6, 1, 2, 3, 4, 5, 6, 7, 8]);
  const others = [numberField(200, 2 ** 40), bytesField(201, Buffer.from('new')), fixedField(202), eight];
  const read = readDnstap(Buffer.concat([...others, inMessage(...others, kind, ...others), ...others]));
  assert.equal(read?.kind, 'RESOLVER_RESPONSE');
});

test('a known field of an unexpected wire type is skipped', () => {
  const read = readDnstap(
    inMessage(
      kind,
      numberField(5, 5),
      numberField(11, 5),
      bytesField(12, Buffer.from('x')),
      fixedField(12),
      numberField(13, 5),
      fixedField(14),
    ),
  );
  assert.deepEqual([read?.queryZone, read?.responseAddress], [undefined, undefined]);
  assert.deepEqual([read?.responseTimeSeconds, read?.responseTimeNanoseconds], [0, 0]);
});

test('nanoseconds above 999,999,999 are ignored', () => {
  const nanosecondsOf = (value: number) => {
    const field = fixedField(13);
    field.writeUInt32LE(value, 1);
    return readDnstap(inMessage(kind, field))?.responseTimeNanoseconds;
  };
  assert.deepEqual([1, 999_999_999, 1_000_000_000, 0xffff_ffff].map(nanosecondsOf), [1, 999_999_999, 0, 0]);
});

const malformed: readonly (readonly [what: string, frame: Buffer])[] = [
  ['without bytes', Buffer.alloc(0)],
  ['without a message', numberField(15, 1)],
  ['whose message has no kind', inMessage(numberField(12, noon))],
  ['with a length that runs over the end', Buffer.concat([inMessage(kind), Buffer.from([0x0a, 5, 1])])],
  ['that ends inside a number', Buffer.concat([inMessage(kind), Buffer.from([0x78, 0x80])])],
  ['that ends inside a fixed field', inMessage(kind, fixedField(13).subarray(0, 3))],
  [
    'with a number of eleven bytes',
    Buffer.concat([inMessage(kind), Buffer.from([0x78, ...Array(10).fill(0x80), 1])]),
  ],
  ['with a group', Buffer.concat([inMessage(kind), Buffer.from([0x7b])])],
];
for (const [what, frame] of malformed) {
  test(`a frame ${what} is malformed`, () => assert.equal(readDnstap(frame), undefined));
}

test('an excessive length is malformed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: Number.MAX_SAFE_INTEGER }), (length) => {
      const claim = numberField(14, length);
      claim[0] = 14 * 8 + 2;
      assert.equal(readDnstap(Buffer.concat([claim, Buffer.alloc(4)])), undefined);
    }),
  );
});

test('arbitrary bytes never throw', () => {
  const whole = encodeDnstap({ zone: Buffer.from([0]), message: Buffer.alloc(20) });
  const damaged = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
    const bytes = Buffer.from(whole);
    bytes[at] = byte;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), damaged), (any) => {
      readDnstap(any);
    }),
    { numRuns: 1000 },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readHeader, readMessage } from '../../../src/model/dns/message.ts';
import { encodeMessage, type WrittenRecord, wireName } from '../../harness/network/encode-dns-message.ts';

const [a, ns, mx, opt, unknown] = [1, 2, 15, 41, 65_280];
const address = Uint8Array.of(192, 0, 2, 1);
const header = [0, 0, 0x84, 0];

test('a message decodes to flags, question, and records with section, owner, class and TTL', () => {
  const message = readMessage(
    encodeMessage({
      question: { name: 'www.example.com', type: a },
      records: [
        { owner: 'www.example.com', type: a, ttl: 86_400, rdata: [address] },
        {
          section: 'authority',
          owner: 'example.com',
          type: ns,
          ttl: 0xffff_ffff,
          rdata: ['ns1.example.net'],
        },
        { section: 'additional', owner: 'ns1.example.net', type: a, class: 3, rdata: [address] },
      ],
    }),
  );
  const www = wireName('www.example.com');
  assert.deepEqual(message, {
    isResponse: true,
    opcode: 0,
    isAuthoritative: true,
    isTruncated: false,
    rcode: 0,
    question: { name: www, type: a, class: 1 },
    records: [
      { section: 'answer', owner: www, type: a, class: 1, ttl: 86_400, rdata: address },
      {
        section: 'authority',
        owner: wireName('example.com'),
        type: ns,
        class: 1,
        ttl: 0xffff_ffff,
        rdata: wireName('ns1.example.net'),
      },
      {
        section: 'additional',
        owner: wireName('ns1.example.net'),
        type: a,
        class: 3,
        ttl: 300,
        rdata: address,
      },
    ],
  });
});

test('the header alone yields the question, truncation and response code', () => {
  const read = (flags: number) => readHeader(encodeMessage({ flags }));
  const plain = { isResponse: false, opcode: 0, isAuthoritative: false, isTruncated: false, rcode: 0 };
  assert.deepEqual(read(0), plain);
  assert.deepEqual(read(0x8000), { ...plain, isResponse: true });
  assert.deepEqual(read(0x2800), { ...plain, opcode: 5 });
  assert.deepEqual(read(0x0400), { ...plain, isAuthoritative: true });
  assert.deepEqual(read(0x0200), { ...plain, isTruncated: true });
  assert.deepEqual(read(0x0003), { ...plain, rcode: 3 });
});

test('OPT extends the response code', () => {
  const badVersion = { owner: '', type: opt, class: 1232, ttl: 0x0100_0000, rdata: [] };
  assert.equal(readMessage(encodeMessage({ records: [badVersion] }))?.rcode, 16);
});

test('names decode to lower case, other bytes of a label are unchanged', () => {
  const records = [{ owner: 'WwW.eXample.\u00c4@[`{', type: ns, rdata: ['NS1.Example.Net'] }];
  const record = readMessage(encodeMessage({ records }))?.records[0];
  assert.deepEqual(record?.owner, wireName('www.example.\u00c4@[`{'));
  assert.deepEqual(record?.rdata, wireName('ns1.example.net'));
});

test('a message without a question, and bytes after the last record, are accepted', () => {
  const bytes = encodeMessage({ records: [{ owner: '', type: a, rdata: [address] }] });
  const message = readMessage(Buffer.concat([bytes, Buffer.from('and more')]));
  assert.equal(message?.question, undefined);
  assert.deepEqual(
    message?.records.map(({ owner }) => owner),
    [wireName('')],
  );
});

test('a name of 255 bytes is accepted, one of 256 is malformed', () => {
  const longest = `${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(61)}`;
  const read = (name: string) => readMessage(encodeMessage({ question: { name, type: a } }));
  assert.deepEqual(read(longest)?.question?.name, wireName(longest));
  assert.equal(wireName(longest).length, 255);
  assert.equal(read(`${longest}b`), undefined);
});

const malformedNames: readonly (readonly [what: string, name: readonly number[]])[] = [
  ['that points at itself', [0xc0, 12]],
  ['that points forward', [0xc0, 14, 0]],
  ['that points into the header', [0xc0, 2]],
  ['whose label leads back to its own beginning', [1, 97, 0xc0, 12]],
  ['with a label of a reserved kind', [0x40, 0]],
  ['with a label that runs over the end', [9, 97]],
  ['that ends inside a pointer', [0xc0]],
];
for (const [what, name] of malformedNames) {
  test(`a name ${what} makes the message malformed`, () => {
    const counts = [0, 1, 0, 0, 0, 0, 0, 0];
    assert.equal(readMessage(Uint8Array.from([...header, ...counts, ...name, 0, 1, 0, 1])), undefined);
  });
}

test('compression pointers that form a loop make the message malformed', () => {
  const question = [0xc0, 18, 0, 1, 0, 1];
  const counts = [0, 2, 0, 0, 0, 0, 0, 0];
  assert.equal(
    readMessage(Uint8Array.from([...header, ...counts, ...question, 0xc0, 12, 0, 1, 0, 1])),
    undefined,
  );
});

test('a long chain of compression pointers is rejected', () => {
  const chain = (length: number) => {
    // In the rdata of an unknown type: a root label, then pointers that each lead to the one before.
    const targets = [...Array(length).keys()].map((index) => (index === 0 ? 23 : 22 + 2 * index));
    const links = targets.flatMap((target) => [0xc0 | (target >> 8), target & 255]);
    const rdata = [0, ...links];
    const first = [0, 0xff, 0, 0, 1, 0, 0, 0, 0, rdata.length >> 8, rdata.length & 255, ...rdata];
    const last = 23 + rdata.length - 2;
    const second = [0xc0 | (last >> 8), last & 255, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    return Uint8Array.from([...header, 0, 0, 0, 2, 0, 0, 0, 0, ...first, ...second]);
  };
  assert.deepEqual(readMessage(chain(100))?.records[1]?.owner, wireName(''));
  assert.equal(readMessage(chain(4000)), undefined);
});

test('rdata that is invalid for its type makes the message malformed', () => {
  const records = [{ owner: 'example.com', type: a, rdata: [Uint8Array.of(192, 0, 2)] }];
  assert.equal(readMessage(encodeMessage({ records })), undefined);
});

test('more than 65535 bytes are not a message', () => {
  const bytes = encodeMessage({ records: [{ owner: '', type: a, rdata: [address] }] });
  const padded = (length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
  assert.ok(readMessage(padded(65_535)));
  assert.equal(readMessage(padded(65_536)), undefined);
});

const name = fc
  .array(fc.stringMatching(/^[a-cA-C_0-9-]{1,12}$/), { maxLength: 5 })
  .map((labels) => labels.join('.'));
const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const data = fc.oneof(
  fc.uint8Array({ minLength: 4, maxLength: 4 }).map((four) => [a, [four]] as const),
  name.map((target) => [ns, [target]] as const),
  name.map((target) => [mx, [Uint8Array.of(0, 10), target]] as const),
  bytes(40).map((any) => [unknown, [any]] as const),
);
const record: fc.Arbitrary<WrittenRecord> = fc
  .record({
    section: fc.constantFrom('answer' as const, 'authority' as const, 'additional' as const),
    owner: name,
    data,
    class: fc.nat(0xffff),
    ttl: fc.nat(0xffff_ffff),
  })
  .map(({ data: [type, rdata], ...rest }) => ({ ...rest, type, rdata }));
const message = fc.record({
  question: fc.record({ name, type: fc.nat(0xffff) }),
  records: fc.array(record, { maxLength: 20 }),
  compress: fc.boolean(),
});

test('an encoded message decodes to the same, compressed or not', () => {
  const lower = (text: string) => wireName(text.toLowerCase());
  const expected = ({ rdata, owner, ...rest }: WrittenRecord) => ({
    ...rest,
    owner: lower(owner),
    rdata: Uint8Array.from(
      Buffer.concat(rdata.map((part) => (typeof part === 'string' ? lower(part) : part))),
    ),
  });
  const order = ['answer', 'authority', 'additional'];
  fc.assert(
    fc.property(message, (written) => {
      const read = readMessage(encodeMessage(written));
      const sorted = written.records.toSorted(
        (one, other) => order.indexOf(one.section ?? '') - order.indexOf(other.section ?? ''),
      );
      assert.deepEqual(
        read?.records.map((each) => ({ ...each, rdata: Uint8Array.from(each.rdata) })),
        sorted.map(expected),
      );
      assert.deepEqual(read?.question?.name, lower(written.question.name));
    }),
  );
});

test('a truncated message is malformed, wherever it ends', () => {
  fc.assert(
    fc.property(message, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (written, share) => {
      const whole = encodeMessage(written);
      assert.equal(readMessage(whole.subarray(0, Math.floor(whole.length * share))), undefined);
    }),
  );
});

test('decoding arbitrary bytes never throws', () => {
  const damaged = fc.tuple(message, bytes(8), fc.nat(200)).map(([written, noise, at]) => {
    const whole = encodeMessage(written);
    whole.set(noise.subarray(0, Math.max(0, whole.length - at)), Math.min(at, whole.length));
    return whole;
  });
  const withHeader = bytes(300).map((rest) => Uint8Array.from([...header, 0, 1, 0, 3, 0, 0, 0, 0, ...rest]));
  fc.assert(
    fc.property(fc.oneof(damaged, withHeader, bytes(300)), (any) => {
      readMessage(any);
    }),
    { numRuns: 1000 },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { concealClient } from '../../../src/model/dns/conceal-client.ts';
import { type DnsRecord, readMessage } from '../../../src/model/dns/message.ts';
import { optRecord, soaRecord } from '../../harness/network/dns-errors.ts';
import { encodeMessage } from '../../harness/network/encode-dns-message.ts';

const question = { name: 'missing.example.com', type: 1 };
const optOf = (bytes: Uint8Array) => readMessage(bytes)?.records.find(({ type }) => type === 41)?.rdata;

test('a message without options is unchanged', () => {
  for (const records of [[], [soaRecord], [soaRecord, optRecord([])]]) {
    const message = encodeMessage({ question, records });
    assert.deepEqual(concealClient(message), message);
  }
});

test('every option but the extended error becomes padding of the same length', () => {
  const [secret, explanation] = [Buffer.from('secret'), Buffer.from('\x00\x07expired')];
  const records = [
    optRecord([
      [8, secret],
      [15, explanation],
      [65_001, Buffer.alloc(0)],
    ]),
  ];
  const padded = optRecord([
    [12, Buffer.alloc(secret.length)],
    [15, explanation],
    [12, Buffer.alloc(0)],
  ]);
  const opt = optOf(concealClient(encodeMessage({ question, records })));
  assert.deepEqual(opt, optOf(encodeMessage({ question, records: [padded] })));
});

test('truncated options are blanked', () => {
  for (const rdata of [
    Buffer.from('abc'),
    Buffer.from([0, 15, 0, 9, 1, 2, 3]),
    Buffer.from([0, 8, 255, 255, 9]),
  ]) {
    const opt = optOf(
      concealClient(encodeMessage({ question, records: [{ ...optRecord([]), rdata: [rdata] }] })),
    );
    assert.deepEqual(opt, new Uint8Array(rdata.length));
  }
});

test('bytes after the last record are removed, and the input is unchanged', () => {
  const message = encodeMessage({ question, records: [soaRecord, optRecord([[8, Buffer.from('secret')]])] });
  const longer = Buffer.concat([message, Buffer.from('secret')]);
  const before = Buffer.from(longer);
  const concealed = concealClient(longer);
  assert.equal(concealed.length, message.length);
  assert.ok(!Buffer.from(concealed).includes('secret'));
  assert.deepEqual(longer, before);
});

test('all other records decode as before, wherever OPT is', () => {
  const withoutOpt = (records: readonly DnsRecord[] = []) => records.filter(({ type }) => type !== 41);
  const record = fc.oneof(
    fc.constant(soaRecord),
    fc.constantFrom('answer' as const, 'additional' as const).map((section) => ({
      section,
      owner: 'a.missing.example.com',
      type: 2,
      rdata: ['ns1.example.com'],
    })),
    fc
      .array(fc.tuple(fc.nat(20), fc.uint8Array({ maxLength: 20 })), { maxLength: 4 })
      .map((all) => optRecord(all)),
  );
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), (records) => {
      const message = encodeMessage({ question, records });
      const concealed = readMessage(concealClient(message));
      assert.deepEqual(withoutOpt(concealed?.records), withoutOpt(readMessage(message)?.records));
    }),
  );
});

test('concealing never fails on a message that can be decoded', () => {
  const whole = encodeMessage({ question, records: [soaRecord, optRecord([[8, Buffer.from('secret')]])] });
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 });
  fc.assert(
    fc.property(changes, (all) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, byte] of all) bytes[at] = byte;
      if (readMessage(bytes)) assert.ok(concealClient(bytes).length <= bytes.length);
    }),
    { numRuns: 1000 },
  );
});

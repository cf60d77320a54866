import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { importRrsets } from '../../../src/collect/import-rrsets.ts';
import { cofReader } from '../../../src/collect/rrset-formats/cof.ts';
import { PlainCofReader } from '../../../src/collect/rrset-formats/plain-cof.ts';
import { unpackRrset } from '../../../src/model/dns/packed-rrset.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { RecordingIntake } from '../../harness/fixtures/recording-intake.ts';
import { shownRrset } from './shown.ts';

const lastSecondsMax = 1_800_000_000;
const record = {
  count: 41,
  time_first: 1_700_000_000,
  time_last: 1_700_090_000,
  rrname: 'www.example.com.',
  rrtype: 'A',
  bailiwick: 'example.com.',
  rdata: ['192.0.2.1', '192.0.2.2'],
};

/** One for all lines, as in an import. */
const reader = new PlainCofReader(lastSecondsMax);

/** What the plain reader packs of a line, if it accepts it. */
function packed(line: Buffer): string | undefined {
  const end = reader.read(line, 0);
  if (end < 0) return undefined;
  assert.equal(end, line.length);
  return shownRrset(unpackRrset(Uint8Array.from(reader.bytes.subarray(0, reader.length))));
}

/** What the reader of text says about it. */
function parsed(line: Buffer): string {
  const outcome = cofReader().line(line.toString().replace(/\r?\n$/, ''));
  return outcome.kind === 'observations' ? outcome.observations.map(shownRrset).join('\n') : outcome.kind;
}

const accepted: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { count: undefined, bailiwick: undefined },
  { bailiwick: '', rdata: '192.0.2.9' },
  { rrname: 'WWW.Example.COM', bailiwick: 'COM' },
  { rrname: 'a._WILDCARD_.example.com.', bailiwick: 'other.net.' },
  { rrtype: 'NS', rdata: ['ns1.example.net.', 'NS2.Example.NET'] },
  { rrtype: 'CNAME', rdata: ['_wildcard_.example.net.'] },
  { rrtype: 'AAAA', rdata: ['2001:db8::1', '::ffff:192.0.2.1'] },
  { rrtype: 'MX', rdata: ['10 mail.example.net.', '0 .'] },
  { rrtype: 'TXT', rdata: ['"v=spf1 -all" "a\\"b"', 'plain'] },
  { rrtype: 'SOA', rdata: ['ns1.example.net. host.example.net. 1 2 3 4 5'] },
  { rrtype: 'SRV', rdata: ['0 5 5060 sip.example.net.'] },
];

test('common COF lines are packed without the reader of text, with the same outcome', () => {
  for (const changes of accepted) {
    const text = JSON.stringify({ ...record, ...changes });
    const spaced = text.replaceAll(/"([a-z_]+)":/g, '"$1": ').replaceAll(',"', ', "');
    for (const line of [text, `${text}\n`, `${text}\r\n`, `${spaced}\n`]) {
      const bytes = Buffer.from(line);
      assert.equal(packed(bytes), parsed(bytes), line);
    }
  }
});

test('lines that are not plain are left to the reader of text', () => {
  const changes: readonly Readonly<Record<string, unknown>>[] = [
    { rrname: 'münchen.example.' },
    { rrname: String.raw`a\.b.example.` },
    { rrname: '.' },
    { time_last: lastSecondsMax + 1 },
    { time_first: 1_700_090_001 },
    { count: 0 },
    { count: 1.5 },
    { zone_time_first: 1 },
    { rdata: [] },
    { rdata: ['192.0.2.256'] },
    { rrtype: 'a' },
    { rrtype: 'TYPE1' },
    { rdata: Array.from({ length: 3000 }, () => '192.0.2.1') },
  ];
  for (const change of changes)
    assert.equal(packed(Buffer.from(`${JSON.stringify({ ...record, ...change })}\n`)), undefined);
  const text = JSON.stringify(record);
  for (const line of ['', '{', '{}', `${text},`, `${text} x`, text.replace('41', '041'), text.slice(0, -1)])
    assert.equal(packed(Buffer.from(line)), undefined, line);
});

const name = fc.oneof(
  fc.constantFrom(
    'www.example.com.',
    'example.com',
    'EXAMPLE.com.',
    '.',
    '',
    'a..b',
    'x'.repeat(64),
    '_wildcard_.a.',
  ),
  fc.string({ maxLength: 12 }),
);
const number = fc.oneof(
  fc.constantFrom(0, 1, 1_700_000_000, 1_700_090_000, 2 ** 32, 1e15, 1e16, -1, 0.5),
  fc.constantFrom('1700000000', null, undefined),
);
const rdataText = fc.oneof(
  name,
  fc.constantFrom(
    '192.0.2.1',
    '01.2.3.4',
    '1.2.3',
    '2001:db8::',
    '10 mail.example.',
    '"text \\"q\\""',
    String.raw`\# 1 00`,
  ),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
);
const cofRecord = fc.record(
  {
    count: number,
    time_first: number,
    time_last: number,
    rrname: name,
    rrtype: fc.constantFrom('A', 'AAAA', 'NS', 'CNAME', 'MX', 'TXT', 'SOA', 'PTR', 'SRV', 'DS', 'a', 1),
    bailiwick: name,
    rdata: fc.oneof(rdataText, fc.array(rdataText, { maxLength: 4 })),
    zone_time_first: number,
    obj: fc.constant({}),
  },
  { requiredKeys: ['rrname', 'rrtype', 'rdata', 'time_first', 'time_last'] },
);

test('whatever the plain reader accepts, the reader of text reads the same from it', () => {
  const members = fc.oneof(
    cofRecord.map((made) => JSON.stringify(made)),
    // Nearly right: a common line with a piece of it replaced or repeated.
    fc
      .tuple(
        fc.constantFrom(...accepted),
        fc.nat(200),
        fc.nat(12),
        fc.string({ unit: anyCharacter, maxLength: 4 }),
      )
      .map(([changes, at, length, text]) => {
        const line = JSON.stringify({ ...record, ...changes });
        return line.slice(0, at) + text + line.slice(at + length);
      }),
  );
  let read = 0;
  fc.assert(
    fc.property(members, (text) => {
      // What follows a line end is another line.
      const bytes = Buffer.from(text.slice(0, text.indexOf('\n') + 1 || undefined));
      const found = packed(bytes);
      if (found === undefined) return;
      read += 1;
      assert.equal(found, parsed(bytes));
    }),
    { numRuns: 4000 },
  );
  assert.ok(read > 100);
});

test('arbitrary bytes never make the plain reader fail or read beyond its line', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.constantFrom(
      ...['{', '}', '"', '\\', '[', ']', ',', '"rdata":', '"count":1', '\n'].map((text) => Buffer.from(text)),
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const line = Buffer.concat([Buffer.from('{'), ...pieces]);
      const end = reader.read(line, 0);
      assert.ok(end === -1 || (end > 0 && line.subarray(0, end - 1).indexOf('\n') < 0));
    }),
    { numRuns: 2000 },
  );
});

test('plain and other lines of a file keep their order, counts and positions', async () => {
  const plain = JSON.stringify(record);
  const inZone = JSON.stringify({ ...record, zone_time_first: 1, zone_time_last: 2 });
  const late = JSON.stringify({ ...record, time_last: lastSecondsMax + 1 });
  const text = ['\uFEFF' + plain, 'nonsense', inZone, '', late, `${plain}\r`, plain].join('\n');
  const intake = new RecordingIntake();
  const faults: string[] = [];
  const counts = await importRrsets(
    (async function* () {
      yield Buffer.from(text);
    })(),
    { format: 'cof', seenSeconds: 0, nowSeconds: lastSecondsMax - 86_400, foldsWildcards: false },
    {
      intake,
      onFault: (position, reason) => faults.push(`${position}: ${reason}`),
      onProgress: () => undefined,
    },
  );
  assert.deepEqual(counts, { read: 7, observations: 5, malformed: 2 });
  assert.deepEqual(faults, [
    'line 2: not a JSON object',
    `line 5: the time ${new Date((lastSecondsMax + 1) * 1000).toISOString()} is in the future`,
  ]);
  assert.deepEqual(
    intake.added.map(({ origin }) => origin),
    ['sensor', 'sensor', 'zone', 'sensor', 'sensor'],
  );
});

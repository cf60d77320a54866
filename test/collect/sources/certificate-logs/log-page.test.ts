import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { entryInTile, entryOfLeaf } from '../../../../src/collect/sources/certificate-logs/log-entry.ts';
import { PageParser, type PageRequest } from '../../../../src/collect/sources/certificate-logs/log-page.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { leafOf, type TestEntry, tileLeafOf } from '../../../harness/network/certificate-log.ts';
import { certificateOf, issueCertificate } from '../../../harness/network/certificates.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';

let entries: readonly TestEntry[] = [];
before(async () => {
  const { precertificate, certificate } = await issueCertificate(['a.example', 'www.a.example']);
  entries = [
    { kind: 'precertificate', der: precertificate, timestampMs: 1_700_000_000_001 },
    { kind: 'certificate', der: certificate, timestampMs: 1_700_000_000_002 },
    {
      kind: 'certificate',
      der: await certificateOf({ names: ['b.example'] }),
      timestampMs: 1_700_000_000_003,
    },
  ];
});

const tile = () => Buffer.concat(entries.map(tileLeafOf));
const listed = (leaves: readonly unknown[]) =>
  Buffer.from(JSON.stringify({ entries: leaves.map((leaf_input) => ({ leaf_input, extra_data: '' })) }));
const request = (
  kind: PageRequest['kind'],
  body: Uint8Array,
  more: Partial<PageRequest> = {},
): PageRequest => ({
  kind,
  body,
  isGzipped: false,
  skip: 0,
  entriesMax: 3,
  ...more,
});

test('a page yields its names, and a certificate and its precertificate count once', () => {
  const names = ['a.example', 'www.a.example', 'b.example'];
  const expected = { entries: 3, certificates: 2, malformed: 0, names, timestampMs: 1_700_000_000_003 };
  const leaves = listed(entries.map((entry) => leafOf(entry).toString('base64')));
  assert.deepEqual(new PageParser().read(request('entries', leaves)), expected);
  assert.deepEqual(new PageParser().read(request('tile', tile())), expected);
  assert.deepEqual(new PageParser().read(request('tile', gzipSync(tile()), { isGzipped: true })), expected);
});

test('a certificate of an earlier page is not counted again, but its names are returned', () => {
  const reading = new PageParser();
  reading.read(request('tile', tile()));
  const { certificates, names } = reading.read(request('tile', tile()));
  assert.deepEqual([certificates, names.length], [0, 3]);
});

test('only the requested entries of a tile are read', () => {
  const read = (skip: number, entriesMax: number) =>
    new PageParser().read(request('tile', tile(), { skip, entriesMax }));
  assert.deepEqual([read(2, 1).names, read(0, 1).entries], [['b.example'], 1]);
});

test('entries beyond the requested ones are left out', () => {
  const leaves = listed(entries.map((entry) => leafOf(entry).toString('base64')));
  assert.equal(new PageParser().read(request('entries', leaves, { entriesMax: 2 })).entries, 2);
});

test('malformed entries are skipped and counted', () => {
  const good = leafOf(entries[2] as TestEntry);
  const leaves = ['', 'AAAA', 7, null, good.subarray(0, 30).toString('base64'), good.toString('base64')];
  const nonsense = leafOf({ kind: 'certificate', der: Buffer.from('no certificate') }).toString('base64');
  const page = new PageParser().read(request('entries', listed([...leaves, nonsense]), { entriesMax: 9 }));
  assert.deepEqual([page.entries, page.malformed, page.names], [7, 6, ['b.example']]);
});

const pages: readonly (readonly [
  what: string,
  kind: PageRequest['kind'],
  body: () => Uint8Array,
  isGzipped?: boolean,
])[] = [
  ['an empty body', 'entries', () => Buffer.alloc(0)],
  ['no list', 'entries', () => Buffer.from('{"entries":{}}')],
  ['nothing', 'entries', () => Buffer.from('null')],
  ['a list of nothing', 'entries', () => Buffer.from('{"entries":[]}')],
  ['a tile that ends too early', 'tile', () => tile().subarray(0, -1)],
  ['a tile of too few entries', 'tile', () => tileLeafOf(entries[0] as TestEntry)],
  ['what is not packed', 'tile', () => tile(), true],
  ['a bomb', 'tile', () => gzipSync(Buffer.alloc(65 << 20)), true],
];
for (const [what, kind, body, isGzipped = false] of pages) {
  test(`${what} is not a page`, () => {
    const problem = (error: unknown) => error instanceof Problem && error.code === 'unavailable';
    assert.throws(() => new PageParser().read(request(kind, body(), { isGzipped })), problem);
  });
}

test('an entry of any leaf or tile is within its bytes, or there is none', () => {
  const start = Buffer.from([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0]);
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.uint8Array({ maxLength: 100 }).map((rest) => Buffer.concat([start, rest])),
    fc
      .tuple(fc.nat(2), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }))
      .map(([which, changes]) => {
        const leaf = leafOf(entries[which] as TestEntry);
        for (const [at, byte] of changes) leaf[at % leaf.length] = byte;
        return leaf;
      }),
  );
  fc.assert(
    fc.property(bytes, (given) => {
      const buffer = Buffer.from(given);
      for (const entry of [entryOfLeaf(buffer), entryInTile(buffer, 0)]) {
        if (entry) assert.ok(entry.from <= entry.to && entry.to <= entry.end && entry.end <= buffer.length);
      }
    }),
    { numRuns: propertyRuns(1000) },
  );
});

test('any page is read or refused', () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map((text) => Buffer.from(`{"entries":[${text}]}`)),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }).map((changes) => {
      const bytes = tile();
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      return bytes;
    }),
  );
  const reading = new PageParser();
  fc.assert(
    fc.property(
      body,
      fc.constantFrom('entries', 'tile'),
      fc.boolean(),
      fc.nat(2),
      (bytes, kind, isGzipped, skip) => {
        try {
          const page = reading.read(request(kind, bytes, { isGzipped, skip }));
          assert.ok(page.entries > 0 && page.entries <= 3 && page.malformed <= page.entries);
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
        }
      },
    ),
    { numRuns: propertyRuns(750) },
  );
});

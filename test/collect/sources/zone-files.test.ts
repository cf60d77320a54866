import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { compareLabels } from '../../../src/collect/sources/zone-files/compare-labels.ts';
import { LabelSorter } from '../../../src/collect/sources/zone-files/label-sorter.ts';
import { createZoneFileSource } from '../../../src/collect/sources/zone-files/zone-file-source.ts';
import { apexOf, scanZoneLabels } from '../../../src/collect/sources/zone-files/zone-labels.ts';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { flipBit } from '../../harness/damage.ts';
import { openReceiver, type ReceiverOptions } from '../../harness/network/http-receiver.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { RecordingIntake } from './recording-intake.ts';

const dialer = createDialer({ settings: { outgoing: { allow: ['127.0.0.1'] } } });
const { signal } = new AbortController();

async function* inPieces(...pieces: readonly (string | Uint8Array)[]) {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

async function labelsIn(text: string, zone: string): Promise<string[]> {
  const labels: string[] = [];
  for await (const batch of scanZoneLabels(inPieces(text), apexOf(zone))) labels.push(...batch);
  return labels;
}

const zoneText = (...names: readonly string[]) =>
  [
    '$ORIGIN test.\n@ 3600 IN SOA ns.test. root.test. ( 1 2\n 3 4 5 ) ; serial\n@ IN NS ns.test.\n',
    ...names.map((name) => `${name}\tIN\tNS\tns1.host.example.\n${name}\tIN\tNS\tns2.host.example.\n`),
  ].join('');

test('only delegations directly under the zone are read', async () => {
  const text = `; a comment
$TTL 86400
$ORIGIN gov.
@ SOA a. b. ( 1 2 3
  4 5 ) NS ignored
  IN NS a.gov-servers.net.
whitehouse 86400 IN NS ns1
           IN NS ns2
UPPER.GOV. ns ns1.example.
ttl-last IN 3600 NS x.
only-ttl 1h NS x.
signed DS 1 2 3 ABCD
signed NS x.
address A 192.0.2.1
deep.sub NS x.
elsewhere.com. NS x.
odd\\.dot NS x.
chaos CH NS x.
$ORIGIN sub.gov.
below NS x.
@ NS x.
$ORIGIN gov.
again NS x.
`;
  assert.deepEqual(await labelsIn(text, 'gov'), [
    'whitehouse',
    'upper',
    'ttl-last',
    'only-ttl',
    'signed',
    'sub',
    'again',
  ]);
  assert.deepEqual(await labelsIn('com. IN NS a.\n.\tNS b.\nxn--p1ai.\t172800 in ns c.\n', '.'), [
    'com',
    'xn--p1ai',
  ]);
  assert.deepEqual(await labelsIn('a.co.uk. NS b.\nb.uk. NS b.\n', '.CO.UK.'), ['a']);
});

test('an invalid zone is refused when the source is created', () => {
  assert.throws(() => apexOf('no zone'), { name: 'Problem', code: 'invalid-parameters' });
  assert.deepEqual(['.', 'gov', '.Co.UK.', 'бел'].map(apexOf), ['.', 'gov.', 'co.uk.', 'xn--90ais.']);
});

test('any text can be read as a zone file', async () => {
  const word = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      'NS',
      'IN',
      '(',
      ')',
      '"',
      ';',
      '\\',
      '$ORIGIN',
      '@',
      'a',
      'a.test.',
      '\n',
      ' ',
      '\t',
      '60',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 60 }), async (words) => {
      for (const label of await labelsIn(words.join(' '), 'test')) assert.match(label, /^[a-z0-9_-]{1,63}$/);
    }),
  );
});

const label = fc.stringMatching(/^[a-z0-9-]{1,4}$/);

test('labels in any order come out sorted and without duplicates, however little fits into memory', async (t) => {
  const directory = join(temporaryDirectory(t), 'runs');
  const many = Array.from({ length: 30_000 }, (_, index) => ((index * 7919) % 20_011).toString(36));
  const expected = [...new Set(many)].sort();
  for (const [labels, blocks] of [
    [many, 2],
    [many, 100],
    [expected, 1],
    [[], 1],
  ] as const) {
    const sorter = new LabelSorter(directory, blocks);
    for (let at = 0; at < labels.length; at += 1000) await sorter.add(labels.slice(at, at + 1000));
    const sorted: string[] = [];
    for await (const batch of await sorter.sorted()) sorted.push(...batch);
    assert.deepEqual(sorted, labels.length === 0 ? [] : expected);
    if (labels === expected) assert.deepEqual(readdirSync(directory), ['run-0']);
    await sorter.remove();
    assert.ok(!existsSync(directory));
  }
});

test('the difference of two lists equals that of two sets', async () => {
  async function* batched(labels: readonly string[], size: number) {
    for (let at = 0; at < labels.length; at += size) yield labels.slice(at, at + size);
  }
  const sorted = fc.uniqueArray(label, { maxLength: 60 }).map((labels) => labels.sort());
  const size = fc.integer({ min: 1, max: 7 });
  await fc.assert(
    fc.asyncProperty(sorted, sorted, size, size, async (before, after, oldSize, newSize) => {
      const [added, removed]: [string[], string[]] = [[], []];
      for await (const some of compareLabels(batched(before, oldSize), batched(after, newSize))) {
        added.push(...some.added);
        removed.push(...some.removed);
      }
      assert.deepEqual(
        added,
        after.filter((one) => !before.includes(one)),
      );
      assert.deepEqual(
        removed,
        before.filter((one) => !after.includes(one)),
      );
    }),
  );
});

function sourceAt(t: TestContext, location: string, zone = 'test') {
  const directory = join(temporaryDirectory(t), 'sources');
  const removed: string[] = [];
  const clock = new TestClock();
  const make = (onRemoved = async (domains: readonly string[]) => void removed.push(...domains)) =>
    createZoneFileSource({ name: 'own', zone, location }, { dialer, directory, clock, onRemoved });
  return { directory, removed, clock, make, source: make() };
}

test('the first file yields all its names, the next one added and removed names', async (t) => {
  const path = join(temporaryDirectory(t), 'zone');
  writeFileSync(path, zoneText('banana', 'apple', 'cherry'));
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const { source, removed, directory } = sourceAt(t, path);
  const intake = new RecordingIntake();
  await source.poll(intake, signal);
  assert.deepEqual(intake.names, ['apple.test', 'banana.test', 'cherry.test']);
  assert.equal(intake.batches[0]?.seenMs, 1_700_000_000_000);
  assert.deepEqual([source.name, source.everyMs], ['zone:own', 43_200_000]);
  intake.clear();
  await source.poll(intake, signal);
  assert.equal(intake.batches.length, 0);
  writeFileSync(path, gzipSync(zoneText('apple', 'date', 'cherry', 'elder')));
  await source.poll(intake, signal);
  assert.deepEqual([intake.names, removed], [['date.test', 'elder.test'], ['banana.test']]);
  assert.deepEqual(readdirSync(directory), ['zone-own.names']);
});

test('a list that has rotted is not compared with: the poll fails and names it, and nothing is ingested', async (t) => {
  const path = join(temporaryDirectory(t), 'zone');
  writeFileSync(path, zoneText('apple', 'banana'));
  const { source, removed, directory } = sourceAt(t, path);
  await source.poll(new RecordingIntake(), signal);
  flipBit(join(directory, 'zone-own.names'), 2);
  writeFileSync(path, zoneText('apple', 'banana', 'cherry'));
  const intake = new RecordingIntake();
  await assert.rejects(
    source.poll(intake, signal),
    /zone-own\.names is damaged: it does not match its checksum/,
  );
  assert.deepEqual([intake.names, removed], [[], []]);
});

test('names are ingested in batches of at most 5000', async (t) => {
  const path = join(temporaryDirectory(t), 'zone');
  const names = Array.from({ length: 12_345 }, (_, index) => `n${index}`);
  writeFileSync(path, zoneText(...names));
  const { source } = sourceAt(t, path);
  const intake = new RecordingIntake();
  await source.poll(intake, signal);
  assert.deepEqual(
    intake.batches.map((batch) => batch.names.length),
    [5000, 5000, 2345],
  );
  assert.deepEqual(intake.names.toSorted(), names.map((name) => `${name}.test`).sort());
});

test('a source killed at any step repeats the file, and no name is lost', async (t) => {
  const path = join(temporaryDirectory(t), 'zone');
  const names = Array.from({ length: 12_000 }, (_, index) => `n${index}`);
  const { make, directory } = sourceAt(t, path);
  writeFileSync(path, zoneText('old', 'older', ...names));
  await make().poll(new RecordingIntake(), signal);
  writeFileSync(path, zoneText(...names, ...names.map((name) => `new-${name}`)));
  const intake = new RecordingIntake();
  const removed: string[] = [];
  for (const batchesLeft of [0, 1, 2]) {
    intake.batchesLeft = batchesLeft;
    await assert.rejects(make().poll(intake, signal), /killed/);
  }
  intake.batchesLeft = Number.POSITIVE_INFINITY;
  const failing = make(() => Promise.reject(new Error('killed')));
  await assert.rejects(failing.poll(intake, signal), /killed/);
  await make(async (domains) => void removed.push(...domains)).poll(intake, signal);
  assert.equal(new Set(intake.names).size, 12_000);
  assert.deepEqual(removed, ['old.test', 'older.test']);
  intake.clear();
  await make().poll(intake, signal);
  assert.deepEqual([intake.batches.length, readdirSync(directory)], [0, ['zone-own.names']]);
});

test('a file that is truncated, shrank by more than half, or is not a zone file is refused as a whole', async (t) => {
  const path = join(temporaryDirectory(t), 'zone');
  const { source, removed } = sourceAt(t, path);
  const intake = new RecordingIntake();
  await assert.rejects(source.poll(intake, signal), { code: 'unavailable', message: /cannot be read/ });
  writeFileSync(path, zoneText('a', 'b', 'c', 'd', 'e'));
  await source.poll(intake, signal);
  intake.clear();
  const packed = gzipSync(zoneText('a', 'b', 'c', 'd', 'e', 'f'));
  for (const [bytes, message] of [
    [packed.subarray(0, packed.length - 9), /damaged or truncated/],
    [zoneText('a', 'b'), /has shrunk from 5 names to 2: nothing was ingested; .*zone-own\.names/],
    ['<html>Not found</html>', /delegates no name directly under test/],
    ['', /delegates no name/],
  ] as const) {
    writeFileSync(path, bytes);
    await assert.rejects(source.poll(intake, signal), message);
  }
  assert.deepEqual([intake.batches, removed], [[], []]);
  writeFileSync(path, zoneText('a', 'b', 'c', 'z'));
  await source.poll(intake, signal);
  assert.deepEqual([intake.names, removed], [['z.test'], ['d.test', 'e.test']]);
});

test('a snapshot that is incomplete or of another zone is ignored', async (t) => {
  const path = join(temporaryDirectory(t), 'zone');
  writeFileSync(path, zoneText('a', 'b'));
  const { source, directory, clock } = sourceAt(t, path);
  const intake = new RecordingIntake();
  await source.poll(intake, signal);
  const list = join(directory, 'zone-own.names');
  writeFileSync(list, readFileSync(list).subarray(0, -1));
  await source.poll(intake, signal);
  const needs = { dialer, directory, clock };
  const other = createZoneFileSource({ name: 'own', zone: 'example', location: path }, needs);
  await assert.rejects(other.poll(intake, signal), /delegates no name/);
  assert.deepEqual(intake.names, ['a.test', 'b.test', 'a.test', 'b.test']);
});

async function served(t: TestContext, answer: NonNullable<ReceiverOptions['answer']>) {
  const receiver = await openReceiver(t, { answer });
  return { receiver, url: `${receiver.url}test.zone.gz` };
}

test('a file by HTTP is downloaded again only if its ETag or Last-Modified changed', async (t) => {
  let [etag, text] = ['"1"', zoneText('a', 'b')];
  const { receiver, url } = await served(t, ({ headers }, response) => {
    if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else
      response.writeHead(200, { etag, 'last-modified': 'Tue, 14 Nov 2023 22:13:20 GMT' }).end(gzipSync(text));
  });
  const { source, directory } = sourceAt(t, url);
  const intake = new RecordingIntake();
  await source.poll(intake, signal);
  await source.poll(intake, signal);
  [etag, text] = ['"2"', zoneText('a', 'b', 'c')];
  await source.poll(intake, signal);
  assert.deepEqual(
    receiver.received.map(({ headers }) => [
      headers['if-none-match'],
      headers['if-modified-since'] !== undefined,
    ]),
    [
      [undefined, false],
      ['"1"', true],
      ['"1"', true],
    ],
  );
  assert.deepEqual(intake.names, ['a.test', 'b.test', 'c.test']);
  assert.equal(intake.batches[0]?.seenMs, 1_700_000_000_000);
  assert.deepEqual(readdirSync(directory), ['zone-own.names']);
});

test('an unchanged file from a server without validators is recognised by its digest', async (t) => {
  const { url } = await served(t, (_, response) => void response.end(zoneText('a')));
  const { source } = sourceAt(t, url);
  const intake = new RecordingIntake();
  await source.poll(intake, signal);
  await source.poll(intake, signal);
  assert.equal(intake.batches.length, 1);
});

test('a truncated download, an error and a redirect to a private address ingest nothing', async (t) => {
  const packed = gzipSync(zoneText('a', 'b'));
  const answers: readonly NonNullable<ReceiverOptions['answer']>[] = [
    (_, response) => {
      response.writeHead(200, { 'content-length': packed.length });
      response.write(packed.subarray(0, 20), () => response.destroy());
    },
    (_, response) => void response.writeHead(404).end(packed),
    (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/zone' }).end(packed),
  ];
  for (const answer of answers) {
    const { url } = await served(t, answer);
    const { source, directory } = sourceAt(t, url);
    const intake = new RecordingIntake();
    await assert.rejects(source.poll(intake, signal), { name: 'Problem' });
    assert.deepEqual([intake.batches, readdirSync(directory)], [[], []]);
  }
});

const zones = join(import.meta.dirname, '../../../../shared/data/zone');
const skip = existsSync(zones) ? false : 'skipped: no shared data';

test('real zones: every delegation of the root and of gov, exactly once', { skip }, async (t) => {
  for (const [zone, file] of [
    ['.', 'root.zone.gz'],
    ['gov', 'gov.zone.gz'],
  ] as const) {
    const path = join(zones, file);
    const expected = new Set<string>();
    const pattern =
      zone === '.' ? /^([a-z0-9-]+)\.\s+\d+\s+IN\s+NS\s/i : /^([a-z0-9-]+)\.gov\.\s+\d+\s+IN\s+NS\s/i;
    for (const line of gunzipSync(readFileSync(path)).toString().split('\n')) {
      const [, name] = pattern.exec(line) ?? [];
      if (name !== undefined) expected.add(name.toLowerCase() + (zone === '.' ? '' : '.gov'));
    }
    const { source } = sourceAt(t, path, zone);
    const intake = new RecordingIntake();
    await source.poll(intake, signal);
    t.diagnostic(`${zone}: ${intake.names.length} names`);
    assert.ok(expected.size > 1000, `${zone} ${expected.size}`);
    assert.deepEqual(intake.names.toSorted(), [...expected].sort());
  }
});

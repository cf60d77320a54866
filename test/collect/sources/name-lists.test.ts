import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { parseCheckpoint } from '../../../src/collect/sources/name-lists/file-checkpoints.ts';
import { createNameListSource } from '../../../src/collect/sources/name-lists/name-list-source.ts';
import { namesOfLine } from '../../../src/collect/sources/name-lists/names-of-line.ts';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { openReceiver } from '../../harness/network/http-receiver.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { RecordingIntake } from './recording-intake.ts';

const dialer = createDialer({ settings: { outgoing: { allow: ['127.0.0.1'] } } });
const { signal } = new AbortController();

const lines: readonly (readonly [line: string, names: readonly string[]])[] = [
  ['acme.example', ['acme.example']],
  ['  Acme.example.  # the first', ['Acme.example.']],
  ['# nothing', []],
  ['', []],
  ['1,acme.example', ['acme.example']],
  ['"17","acme.example"', ['acme.example']],
  ['17\tacme.example', ['acme.example']],
  ['acme.example\t2026-01-02\t3', ['acme.example']],
  ['acme.example,phishing', ['acme.example']],
  ['0.0.0.0 ads.example tracker.example # both', ['ads.example', 'tracker.example']],
  ['::1 localhost', ['localhost']],
  ['*.acme.example', ['*.acme.example']],
  ['bücher.example', ['bücher.example']],
  ['17', []],
  ['x'.repeat(2000), []],
];

for (const [line, names] of lines) {
  test(`a line ${JSON.stringify(line.slice(0, 40))} holds ${names.length} names`, () => {
    assert.deepEqual(namesOfLine(line), names);
  });
}

test('any line gives a bounded number of names, none of them with white space', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.constantFrom('', '1,', '0.0.0.0 '),
      (text, before) => {
        const names = namesOfLine(before + text);
        assert.ok(names.length <= 64 && names.every((name) => name !== '' && !/[\s#]/.test(name)));
      },
    ),
  );
  assert.equal(namesOfLine(`0.0.0.0 ${'a.example '.repeat(10_000)}`).length, 64);
});

test('an unreadable checkpoint counts as none', () => {
  for (const place of [undefined, '', 'nonsense', '{}', '[1]', '[["a"]]', '[["a",{"version":1}]]', 'null'])
    assert.equal(parseCheckpoint(place).size, 0);
});

function sourceAt(t: TestContext, location: string, everyMinutes?: number) {
  const directory = join(temporaryDirectory(t), 'sources');
  const settings = { sources: { pollSeconds: 10 } };
  const clock = new TestClock();
  const entry = { name: 'own', location, ...(everyMinutes === undefined ? {} : { everyMinutes }) };
  return { directory, make: () => createNameListSource(entry, { dialer, directory, clock, settings }) };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `n${from + index}.example`);

test('a file is ingested once, and again when it changes, plain or compressed', async (t) => {
  const path = join(temporaryDirectory(t), 'list');
  writeFileSync(path, '# a list\na.example\nb.example');
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const source = sourceAt(t, path).make();
  const intake = new RecordingIntake();
  await source.poll(intake, signal);
  const batches = intake.batches.length;
  await source.poll(intake, signal);
  assert.equal(intake.batches.length, batches);
  assert.deepEqual(
    [intake.names, intake.batches[0]?.seenMs],
    [['a.example', 'b.example'], 1_700_000_000_000],
  );
  writeFileSync(path, gzipSync('a.example\nc.example\n'));
  intake.clear();
  await source.poll(intake, signal);
  assert.deepEqual(intake.names, ['a.example', 'c.example']);
  assert.deepEqual([source.name, source.everyMs], ['list:own', 3_600_000]);
});

test('a source killed after any batch resumes after the last ingested line', async (t) => {
  const path = join(temporaryDirectory(t), 'list');
  const names = numbered(0, 12_500);
  writeFileSync(path, names.join('\n'));
  const { make } = sourceAt(t, path);
  for (const batches of [0, 1, 2, 3]) {
    const intake = new RecordingIntake();
    intake.batchesLeft = batches;
    await assert.rejects(make().poll(intake, signal), /killed/);
    intake.batchesLeft = Number.POSITIVE_INFINITY;
    await make().poll(intake, signal);
    assert.deepEqual(intake.names, names);
    assert.ok(intake.batches.every((batch) => batch.names.length <= 5000));
  }
});

test('a file that changed while it was partly ingested is ingested from its start', async (t) => {
  const path = join(temporaryDirectory(t), 'list');
  writeFileSync(path, numbered(0, 8000).join('\n'));
  const { make } = sourceAt(t, path);
  const intake = new RecordingIntake();
  intake.batchesLeft = 1;
  await assert.rejects(make().poll(intake, signal), /killed/);
  intake.batchesLeft = Number.POSITIVE_INFINITY;
  intake.clear();
  writeFileSync(path, 'fresh.example\n');
  await make().poll(intake, signal);
  assert.deepEqual(intake.names, ['fresh.example']);
});

test('files of a directory are ingested once in order of their names, and again when they change', async (t) => {
  const directory = temporaryDirectory(t);
  const put = (name: string, text: string | Buffer) => writeFileSync(join(directory, name), text);
  put('b.txt', 'b.example\n');
  put('a.txt.gz', gzipSync('a.example\n'));
  put('.hidden', 'hidden.example\n');
  put('c.txt.part', 'half.example\n');
  mkdirSync(join(directory, 'sub'));
  const { make } = sourceAt(t, directory);
  const source = make();
  const intake = new RecordingIntake();
  assert.equal(source.everyMs, 10_000);
  await source.poll(intake, signal);
  put('c.txt', 'c.example\n');
  await source.poll(intake, signal);
  put('a.txt.gz', 'a2.example\nmore.example\n');
  await make().poll(intake, signal);
  await make().poll(intake, signal);
  assert.deepEqual(intake.names, ['a.example', 'b.example', 'c.example', 'a2.example', 'more.example']);
  rmSync(join(directory, 'b.txt'));
  put('d.txt', 'd.example\n');
  await make().poll(intake, signal);
  assert.deepEqual([...parseCheckpoint(intake.checkpoints.get('list:own')).keys()].sort(), [
    'a.txt.gz',
    'c.txt',
    'd.txt',
  ]);
});

test('a damaged file in a directory is reported and does not stop the others', async (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, 'a.gz'), gzipSync(numbered(0, 9000).join('\n')).subarray(0, -200));
  writeFileSync(join(directory, 'b'), 'b.example\n');
  const intake = new RecordingIntake();
  await assert.rejects(sourceAt(t, directory).make().poll(intake, signal), /damaged or truncated/);
  assert.ok(intake.names.includes('b.example'));
});

test('endless lines, endless comments and a missing directory are handled', async (t) => {
  const path = join(temporaryDirectory(t), 'list');
  writeFileSync(path, `${'x'.repeat(2_000_000)}\n${'# nothing\n'.repeat(150_000)}last.example\n`);
  const intake = new RecordingIntake();
  await sourceAt(t, path).make().poll(intake, signal);
  assert.deepEqual(intake.names, ['last.example']);
  const absent = sourceAt(t, join(path, 'absent')).make();
  await assert.rejects(absent.poll(intake, signal), { code: 'unavailable', message: /cannot be read/ });
});

test('a list by HTTP is ingested when its ETag changes, and resumes from its checkpoint', async (t) => {
  let [etag, names] = ['"1"', numbered(0, 7000)];
  const receiver = await openReceiver(t, {
    answer: ({ headers }, response) => {
      if (headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(names.map((name, rank) => `${rank + 1},${name}`).join('\n'));
    },
  });
  const { make, directory } = sourceAt(t, `${receiver.url}top.csv`, 30);
  const intake = new RecordingIntake();
  intake.batchesLeft = 1;
  await assert.rejects(make().poll(intake, signal), /killed/);
  intake.batchesLeft = Number.POSITIVE_INFINITY;
  await make().poll(intake, signal);
  await make().poll(intake, signal);
  assert.deepEqual(intake.names, names);
  [etag, names] = ['"2"', ['z.example']];
  intake.clear();
  await make().poll(intake, signal);
  assert.deepEqual(intake.names, ['z.example']);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['if-none-match']),
    [undefined, undefined, '"1"', '"1"'],
  );
  assert.deepEqual([readdirSync(directory), make().everyMs], [[], 1_800_000]);
});

test('an aborted signal ends the poll', async (t) => {
  const path = join(temporaryDirectory(t), 'list');
  writeFileSync(path, numbered(0, 20_000).join('\n'));
  const ending = new AbortController();
  const intake = new RecordingIntake();
  const stopping = {
    findCheckpoint: (source: string) => intake.findCheckpoint(source),
    ingest: async (source: string, batch: Parameters<RecordingIntake['ingest']>[1]) => {
      ending.abort(new Error('the process stops'));
      return intake.ingest(source, batch);
    },
  };
  await assert.rejects(sourceAt(t, path).make().poll(stopping, ending.signal), /the process stops/);
  assert.ok(intake.names.length < 20_000);
});

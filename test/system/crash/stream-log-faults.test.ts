/** Fault injection: every file operation of an append fails once. And recovery from damaged files. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DamagedData } from '../../../src/store/damage.ts';
import { type FileOperations, realFiles } from '../../../src/store/embedded/stream/file-operations.ts';
import { StreamLog } from '../../../src/store/embedded/stream/stream-log.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { bytes, contentOf } from '../../conformance/stream-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { checkStreams, numberedLines, producer } from '../../harness/workers/streams/crash-streams.ts';

/** The real operations, of which the one with this number fails; a write that fails has written half of its bytes. */
function failingFiles(failing: number): { files: FileOperations; operations: () => number } {
  let operations = 0;
  const strike = (name: string, args: unknown[]) => {
    operations += 1;
    if (operations !== failing) return;
    if (name === 'write') {
      const [file, part, position] = args as [number, Uint8Array, number];
      realFiles.write(file, part.subarray(0, part.length >> 1), position);
    }
    throw new Error(`${name} failed`);
  };
  const wrapped = Object.entries(realFiles).map(([name, work]) => [
    name,
    (...args: unknown[]) => {
      strike(name, args);
      return (work as (...all: unknown[]) => unknown)(...args);
    },
  ]);
  return { files: Object.fromEntries(wrapped) as FileOperations, operations: () => operations };
}

const appends = 8;

/** A producer that retries what failed. */
async function writeAll(directory: string, files: FileOperations): Promise<number> {
  const root = join(directory, 'streams');
  mkdirSync(root, { recursive: true });
  const log = new StreamLog(root, files);
  let failures = 0;
  for (let number = 0; number < appends; ) {
    const mark = { producer, from: number === 0 ? undefined : String(number), to: String(number + 1) };
    try {
      await log.commit([() => log.append(numberedLines(number), number * 20_000, mark)]);
      number += 1;
    } catch {
      failures += 1;
    }
  }
  log.close();
  return failures;
}

test('whichever file operation fails once, every line is appended exactly once and none is torn', async (t) => {
  const { files, operations } = failingFiles(0);
  await writeAll(temporaryDirectory(t), files);
  const all = operations();
  assert.ok(all > 3 * appends);
  for (let failing = 1; failing <= all; failing += 1) {
    const directory = temporaryDirectory(t);
    const failures = await writeAll(directory, failingFiles(failing).files);
    assert.ok(failures <= 1);
    assert.equal(await checkStreams(directory, appends), appends);
  }
});

test('when one operation of a transaction fails, none of them is done', async (t) => {
  const directory = temporaryDirectory(t);
  const root = join(directory, 'streams');
  mkdirSync(root);
  const failing = { ...realFiles, sync: () => assert.fail('no disk') };
  const log = new StreamLog(root, failing);
  const consumer = { stream: 'ch1', name: 'stage' };
  await assert.rejects(
    log.commit([
      () => log.offsets.lease(consumer, 'a', 0, 10),
      () => log.offsets.commit(consumer, 'a', 7, 0),
      () => log.append(numberedLines(1), 0, undefined),
    ]),
  );
  log.close();
  const store = openStreamStore(directory);
  assert.deepEqual([await store.findOffset(consumer), await store.findState('ch1')], [undefined, undefined]);
  await store.close();
});

const segment = 'streams/ch1/19700101.0000.ndjson';

/** Opens the store and appends in the same minute as before. */
async function appended(t: TestContext, directory: string, nowMs = 0) {
  const faults: string[] = [];
  const store = openStreamStore(directory, (fault) => faults.push(fault));
  t.after(() => store.close());
  await store.append([{ stream: 'ch1', bytes: bytes('later\n') }], nowMs);
  return { store, faults };
}

async function oneSegment(directory: string): Promise<void> {
  const store = openStreamStore(directory);
  await store.append([{ stream: 'ch1', bytes: bytes('one\ntwo\n') }], 0);
  const consumer = { stream: 'ch1', name: 'stage' };
  await store.leaseOffset(consumer, 'a', 0, 1);
  await store.commitOffset(consumer, 'a', 4, 0);
  await store.close();
}

test('a torn tail is truncated before anything is appended', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  appendFileSync(join(directory, segment), '{"half');
  const { store, faults } = await appended(t, directory, 60_000);
  assert.deepEqual([faults, await contentOf(store, 'ch1')], [[], 'one\ntwo\nlater\n']);
  assert.equal(readFileSync(join(directory, segment), 'utf8'), 'one\ntwo\n');
});

test('a segment that was never committed is removed at the start', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  writeFileSync(join(directory, 'streams/ch1/19700101.0005.ndjson'), '{"half');
  await appended(t, directory, 60_000);
  assert.deepEqual(readdirSync(join(directory, 'streams/ch1')).sort(), [
    '19700101.0000.ndjson',
    '19700101.0001.ndjson',
  ]);
});

test('a damaged last segment is reported and stays, and later lines are readable behind it', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  writeFileSync(join(directory, segment), 'one\ntwX\n');
  const { store, faults } = await appended(t, directory);
  assert.match(faults.join(), /19700101\.0000\.ndjson is damaged: a segment of stream ch1 does not match/);
  assert.equal(readFileSync(join(directory, segment), 'utf8'), 'one\ntwX\n');
  await assert.rejects(contentOf(store, 'ch1'), DamagedData);
  assert.equal(await contentOf(store, 'ch1', 8), 'later\n');
  assert.equal((await store.findOffset({ stream: 'ch1', name: 'stage' }))?.offset, 4);
});

for (const [how, change] of Object.entries({
  truncated: (path: string) => writeFileSync(path, 'one\n'),
  removed: (path: string) => rmSync(path),
})) {
  test(`a ${how} last segment is reported, not made anew, and later lines are readable behind it`, async (t) => {
    const directory = temporaryDirectory(t);
    await oneSegment(directory);
    change(join(directory, segment));
    const { store, faults } = await appended(t, directory);
    assert.equal(faults.length, 1);
    await assert.rejects(contentOf(store, 'ch1'), DamagedData);
    assert.equal(await contentOf(store, 'ch1', 8), 'later\n');
    assert.equal(existsSync(join(directory, segment)), how === 'truncated');
  });
}

test('a segment that is removed while its minute lasts is not made anew with a hole', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openStreamStore(directory);
  t.after(() => store.close());
  await store.append([{ stream: 'ch1', bytes: bytes('one\n') }], 0);
  rmSync(join(directory, segment));
  await store.append([{ stream: 'ch1', bytes: bytes('two\n') }], 0);
  assert.equal(await contentOf(store, 'ch1', 4), 'two\n');
  await assert.rejects(contentOf(store, 'ch1'), /a file of stream ch1 is missing/);
});

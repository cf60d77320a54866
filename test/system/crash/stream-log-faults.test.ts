/** Fault injection: every file operation of an append fails once. And recovery from damaged files. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type FileOperations, realFiles } from '../../../src/store/embedded/stream/file-operations.ts';
import { StreamLog } from '../../../src/store/embedded/stream/stream-log.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { bytes, contentOf } from '../../conformance/stream-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { checkStreams, numberedLines, numberOf, producer } from '../../harness/workers/crash-streams.ts';

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

async function damaged(directory: string) {
  const faults: string[] = [];
  const store = openStreamStore(directory, (fault) => faults.push(fault));
  await store.append([{ stream: 'ch1', bytes: bytes('later\n') }], 60_000);
  const content = await contentOf(store, 'ch1');
  await store.close();
  return { faults, content };
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
  const { faults, content } = await damaged(directory);
  assert.deepEqual([faults, content], [[], 'one\ntwo\nlater\n']);
  assert.equal(readFileSync(join(directory, segment), 'utf8'), 'one\ntwo\n');
});

test('a segment that was never committed is removed at the start', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  writeFileSync(join(directory, 'streams/ch1/19700101.0005.ndjson'), '{"half');
  await damaged(directory);
  assert.deepEqual(readdirSync(join(directory, 'streams/ch1')).sort(), [
    '19700101.0000.ndjson',
    '19700101.0001.ndjson',
  ]);
});

test('a segment with a wrong checksum is renamed and reported, and consumer offsets move back before it', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  writeFileSync(join(directory, segment), 'one\ntwX\n');
  const { faults, content } = await damaged(directory);
  assert.equal(content, 'later\n');
  assert.match(faults.join(), /damaged/);
  assert.ok(existsSync(join(directory, `${segment}.damaged`)));
  const store = openStreamStore(directory);
  assert.equal((await store.findOffset({ stream: 'ch1', name: 'stage' }))?.offset, 0);
  assert.equal(numberOf(await store.findProducerMark('unknown')), 0);
  await store.close();
});

test('a truncated segment is renamed and reported too', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  writeFileSync(join(directory, segment), 'one\n');
  const { faults, content } = await damaged(directory);
  assert.deepEqual([faults.length, content], [1, 'later\n']);
});

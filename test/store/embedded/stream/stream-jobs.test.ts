/** Every operation on files that an append needs fails once; and files that somebody else has damaged. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type FileOperations, realFiles } from '../../../../src/store/embedded/stream/file-operations.ts';
import { StreamJobs } from '../../../../src/store/embedded/stream/stream-jobs.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import { bytes, contentOf } from '../../../conformance/stream-store.ts';
import { checkStreams, numberedLines, numberOf, writer } from '../../../harness/stream-crash-world.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

/** The real operations, of which the one with this number fails; a write that fails has written half. */
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

/** A writer that tries again what failed, as whoever was not told of success would. */
async function writeAll(directory: string, files: FileOperations): Promise<number> {
  const root = join(directory, 'streams');
  mkdirSync(root, { recursive: true });
  const jobs = new StreamJobs(root, files);
  let failures = 0;
  for (let number = 0; number < appends; ) {
    const mark = { writer, from: number === 0 ? undefined : String(number), to: String(number + 1) };
    try {
      await jobs.commit([{ kind: 'append', lines: numberedLines(number), nowMs: number * 20_000, mark }]);
      number += 1;
    } catch {
      failures += 1;
    }
  }
  jobs.close();
  return failures;
}

test('whichever operation on files fails once, every line is there once and nothing is torn', async (t) => {
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

test('of several jobs that fail together none is done', async (t) => {
  const directory = temporaryDirectory(t);
  const root = join(directory, 'streams');
  mkdirSync(root);
  const failing = { ...realFiles, sync: () => assert.fail('no disk') };
  const jobs = new StreamJobs(root, failing);
  const reader = { stream: 'ch1', name: 'stage' };
  await assert.rejects(
    jobs.commit([
      { kind: 'hold', reader, holder: 'a', nowMs: 0, untilMs: 10 },
      { kind: 'move', reader, holder: 'a', to: 7, nowMs: 0 },
      { kind: 'append', lines: numberedLines(1), nowMs: 0, mark: undefined },
    ]),
  );
  jobs.close();
  const store = openStreamStore(directory);
  assert.deepEqual([await store.findPlace(reader), await store.findState('ch1')], [undefined, undefined]);
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
  const reader = { stream: 'ch1', name: 'stage' };
  await store.holdPlace(reader, 'a', 0, 1);
  await store.movePlace(reader, 'a', 4, 0);
  await store.close();
}

test('a torn tail is cut before anything is appended', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  appendFileSync(join(directory, segment), '{"half');
  const { faults, content } = await damaged(directory);
  assert.deepEqual([faults, content], [[], 'one\ntwo\nlater\n']);
  assert.equal(readFileSync(join(directory, segment), 'utf8'), 'one\ntwo\n');
});

test('a segment that was never confirmed is removed at the start', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  writeFileSync(join(directory, 'streams/ch1/19700101.0005.ndjson'), '{"half');
  await damaged(directory);
  assert.deepEqual(readdirSync(join(directory, 'streams/ch1')).sort(), [
    '19700101.0000.ndjson',
    '19700101.0001.ndjson',
  ]);
});

test('a segment that the disk has changed is set aside and told, and readers stand before it', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  writeFileSync(join(directory, segment), 'one\ntwX\n');
  const { faults, content } = await damaged(directory);
  assert.equal(content, 'later\n');
  assert.match(faults.join(), /damaged/);
  assert.ok(existsSync(join(directory, `${segment}.damaged`)));
  const store = openStreamStore(directory);
  assert.equal((await store.findPlace({ stream: 'ch1', name: 'stage' }))?.place, 0);
  assert.equal(numberOf(await store.findMark('nobody')), 0);
  await store.close();
});

test('a segment that is cut short is set aside too', async (t) => {
  const directory = temporaryDirectory(t);
  await oneSegment(directory);
  writeFileSync(join(directory, segment), 'one\n');
  const { faults, content } = await damaged(directory);
  assert.deepEqual([faults.length, content], [1, 'later\n']);
});

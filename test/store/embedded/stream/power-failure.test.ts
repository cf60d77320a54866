/** After a power failure files have what was synced, and of the rest any part; every acknowledged line is there all the same. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type FileOperations, realFiles } from '../../../../src/store/embedded/stream/file-operations.ts';
import { StreamLog } from '../../../../src/store/embedded/stream/stream-log.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import { contentOf } from '../../../conformance/stream-store.ts';
import { damageIn } from '../../../harness/damage.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const minuteMs = 60_000;

/** The real files, and what a disk without power would have of them. */
class Disk {
  readonly #paths = new Map<number, string>();
  readonly #synced = new Map<string, Buffer>();
  readonly #named = new Set<string>();
  syncs = 0;

  readonly files: FileOperations = {
    ...realFiles,
    open: (path) => this.#opened(realFiles.open(path), path),
    openExisting: (path) => this.#opened(realFiles.openExisting(path), path),
    sync: (file) => {
      const path = this.#paths.get(file) ?? '';
      this.syncs += 1;
      this.#synced.set(path, readFileSync(path));
    },
    syncDirectory: (path) => {
      for (const file of this.#synced.keys()) if (dirname(file) === path) this.#named.add(file);
    },
  };

  #opened<File extends number | undefined>(file: File, path: string): File {
    if (file !== undefined) this.#paths.set(file, path);
    return file;
  }

  /** Of what was not synced, this share reached the disk, with zeros in place of a part. */
  cutPower(streams: string, share: number): void {
    for (const name of readdirSync(streams, { recursive: true, encoding: 'utf8' })) {
      const path = join(streams, name);
      if (!name.endsWith('.ndjson')) continue;
      const synced = this.#named.has(path) ? this.#synced.get(path) : undefined;
      if (!synced) {
        rmSync(path);
        continue;
      }
      const written = readFileSync(path).subarray(synced.length);
      const kept = Buffer.from(written.subarray(0, Math.floor(written.length * share)));
      writeFileSync(path, Buffer.concat([synced, kept.fill(0, kept.length >> 1)]));
    }
  }
}

const appends = fc.array(
  fc.record({
    stream: fc.constantFrom('ch1', 'ch2'),
    bytes: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 2, max: 600 }) },
      { weight: 1, arbitrary: fc.integer({ min: 4000, max: 70_000 }) },
    ),
    minutes: fc.constantFrom(0, 0, 0, 0, 0, 1),
  }),
  { minLength: 1, maxLength: 40 },
);

function lineOf(number: number, bytes: number): string {
  return `${String(number).padEnd(bytes - 1, '.')}\n`;
}

test('every acknowledged line survives a power failure, whatever of the unsynced bytes reached the disk', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      appends,
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (all, together, share) => {
        const directory = temporaryDirectory(t);
        const streams = join(directory, 'streams');
        mkdirSync(streams);
        const disk = new Disk();
        const log = new StreamLog(streams, disk.files);
        const expected = new Map([
          ['ch1', ''],
          ['ch2', ''],
        ]);
        let nowMs = 0;
        for (let at = 0; at < all.length; at += together) {
          const operations = all.slice(at, at + together).map(({ stream, bytes, minutes }, index) => {
            nowMs += minutes * minuteMs;
            const text = lineOf(at + index, bytes);
            expected.set(stream, (expected.get(stream) ?? '') + text);
            const [appendedMs, lines] = [nowMs, [{ stream, bytes: Buffer.from(text) }]];
            return () => log.append(lines, appendedMs, undefined);
          });
          await log.commit(operations);
        }
        disk.cutPower(streams, share);
        log.close();
        const faults: string[] = [];
        const store = openStreamStore(directory, (fault) => faults.push(fault));
        for (const [stream, text] of expected) assert.equal(await contentOf(store, stream), text);
        // The writer repairs files when it starts, and must not find anything else.
        await store.append([{ stream: 'ch1', bytes: Buffer.from('later\n') }], nowMs);
        assert.equal(await contentOf(store, 'ch1'), `${expected.get('ch1')}later\n`);
        assert.deepEqual([faults, await damageIn(store.verify())], [[], []]);
        await store.close();
      },
    ),
    { numRuns: propertyRuns(10) },
  );
});

async function logWithLine(directory: string, files: FileOperations): Promise<StreamLog> {
  const streams = join(directory, 'streams');
  mkdirSync(streams);
  const log = new StreamLog(streams, files);
  await log.commit([() => log.append([{ stream: 'ch1', bytes: Buffer.from('first\n') }], 0, undefined)]);
  return log;
}

test('small appends to a segment share a sync of its file', async (t) => {
  const disk = new Disk();
  const log = await logWithLine(temporaryDirectory(t), disk.files);
  t.after(() => log.close());
  const before = disk.syncs;
  const line = [{ stream: 'ch1', bytes: Buffer.from(lineOf(1, 1000)) }];
  for (let number = 0; number < 66; number += 1) await log.commit([() => log.append(line, 0, undefined)]);
  assert.equal(disk.syncs - before, 1);
});

test('lines that a failed sync may have lost are written to the file again before the next', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'streams/ch1/19700101.0000.ndjson');
  let fails = false;
  const failing = {
    ...realFiles,
    sync: (descriptor: number) => (fails ? assert.fail('EIO') : realFiles.sync(descriptor)),
  };
  const log = await logWithLine(directory, failing);
  const append = (text: string) =>
    log.commit([() => log.append([{ stream: 'ch1', bytes: Buffer.from(text) }], 0, undefined)]);
  await append('second\n');
  fails = true;
  await assert.rejects(append(lineOf(3, 5000)));
  // The kernel has dropped the page that it could not write.
  writeFileSync(file, 'first\n');
  fails = false;
  await append(lineOf(3, 5000));
  log.close();
  assert.equal(readFileSync(file, 'utf8'), `first\nsecond\n${lineOf(3, 5000)}`);
});

test('a store that was closed needs nothing but its files', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openStreamStore(directory);
  for (const text of ['one\n', 'two\n']) await store.append([{ stream: 'ch1', bytes: Buffer.from(text) }], 0);
  await store.close();
  const file = join(directory, 'streams/ch1/19700101.0000.ndjson');
  writeFileSync(file, 'one\n');
  const again = openStreamStore(directory);
  t.after(() => again.close());
  await assert.rejects(contentOf(again, 'ch1'), /ends here/);
});

test('lines of a segment that was pruned are not brought back', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openStreamStore(directory);
  t.after(() => store.close());
  for (const text of ['one\n', 'two\n']) await store.append([{ stream: 'ch1', bytes: Buffer.from(text) }], 0);
  await store.append([{ stream: 'ch2', bytes: Buffer.from('other\n') }], 0);
  await store.pruneSegments('ch1', 5);
  const other = openStreamStore(directory);
  t.after(() => other.close());
  assert.equal(await contentOf(other, 'ch1'), '');
  await store.append([{ stream: 'ch1', bytes: Buffer.from('three\n') }], 0);
  assert.equal(await contentOf(other, 'ch1', 8), 'three\n');
  assert.ok(existsSync(join(directory, 'streams/ch1')));
});

/** After a power failure files have what was synced, and of the rest any part; every acknowledged line is there all the same. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { openForLock } from '../../../../src/store/embedded/database.ts';
import { type FileOperations, realFiles } from '../../../../src/store/embedded/stream/file-operations.ts';
import { JournalFile } from '../../../../src/store/embedded/stream/journal/journal-file.ts';
import { JournalTail } from '../../../../src/store/embedded/stream/journal/journal-tail.ts';
import { JournalWriter } from '../../../../src/store/embedded/stream/journal/journal-writer.ts';
import { StreamLog } from '../../../../src/store/embedded/stream/stream-log.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import { contentOf } from '../../../conformance/stream-store.ts';
import { damageIn, flipBit } from '../../../harness/damage.ts';
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

const usedHeaderBytes = 24;

/** Both ways of appending, in one thread: that of the store's thread, and the journal. */
class Writers {
  readonly log: StreamLog;
  readonly journal: JournalWriter;
  readonly journalPath: string;
  /** The header that publishes a record of the journal cannot be written. */
  #cannotPublish = false;
  readonly #file: JournalFile;

  constructor(directory: string, files: FileOperations) {
    const streams = join(directory, 'streams');
    mkdirSync(streams);
    this.log = new StreamLog(streams, files);
    const failing = {
      ...files,
      write: (file: number, bytes: Uint8Array, position: number) => {
        if (this.#cannotPublish && bytes.length === usedHeaderBytes) throw new Error('EIO');
        files.write(file, bytes, position);
      },
    };
    this.#file = new JournalFile(streams, failing);
    this.journalPath = this.#file.path;
    this.journal = new JournalWriter({
      root: streams,
      lock: openForLock(join(streams, 'streams.db')),
      file: this.#file,
      tail: new JournalTail(this.#file),
      files,
      settle: () => this.log.settle(),
    });
  }

  commit(stream: string, text: string, nowMs = 0): Promise<unknown> {
    return this.log.commit([() => this.log.append([{ stream, bytes: Buffer.from(text) }], nowMs, undefined)]);
  }

  /** By way of the journal, if that is possible. */
  async append(stream: string, text: string, nowMs = 0): Promise<void> {
    const line = { stream, bytes: Buffer.from(text) };
    if (text.length > 4096 || !(await this.journal.append(line, nowMs / minuteMs)))
      await this.commit(stream, text, nowMs);
  }

  async appendUnseen(stream: string, text: string, nowMs: number): Promise<void> {
    this.#cannotPublish = true;
    const line = { stream, bytes: Buffer.from(`${text}\n`) };
    assert.equal(await this.journal.append(line, nowMs / minuteMs), false);
    this.#cannotPublish = false;
  }

  header(): Buffer {
    return readFileSync(this.journalPath).subarray(0, usedHeaderBytes);
  }

  async close(): Promise<void> {
    await this.journal.close();
    this.#file.close();
    this.log.close();
  }
}

function replaceHeader(path: string, header: Buffer): void {
  writeFileSync(path, Buffer.concat([header, readFileSync(path).subarray(header.length)]));
}

const appends = fc.array(
  fc.record({
    stream: fc.constantFrom('ch1', 'ch2'),
    bytes: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 2, max: 600 }) },
      { weight: 1, arbitrary: fc.integer({ min: 4000, max: 70_000 }) },
    ),
    minutes: fc.constantFrom(0, 0, 0, 0, 0, 1),
    by: fc.constantFrom('journal', 'journal', 'thread'),
    /** A process was killed before, when the journal had its record, but nobody could see it. */
    isAfterKill: fc.constantFrom(false, false, true),
    settles: fc.constantFrom(false, false, false, false, false, false, true),
  }),
  { minLength: 1, maxLength: 60 },
);

function lineOf(number: number, bytes: number): string {
  return `${String(number).padEnd(bytes - 1, '.')}\n`;
}

test('every acknowledged line survives a power failure once, whatever of the unsynced bytes reached the disk', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      appends,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom('last', 'earlier', 'none'),
      async (all, share, headerOnDisk) => {
        const directory = temporaryDirectory(t);
        const disk = new Disk();
        const writers = new Writers(directory, disk.files);
        const expected = new Map([
          ['ch1', ''],
          ['ch2', ''],
        ]);
        const headers: Buffer[] = [];
        let nowMs = 0;
        for (const [number, { stream, bytes, minutes, by, isAfterKill, settles }] of all.entries()) {
          nowMs += minutes * minuteMs;
          const text = lineOf(number, bytes);
          expected.set(stream, (expected.get(stream) ?? '') + text);
          if (isAfterKill) await writers.appendUnseen(stream, 'x'.repeat(bytes % 500), nowMs);
          if (by === 'thread') await writers.commit(stream, text, nowMs);
          else await writers.append(stream, text, nowMs);
          if (settles) await writers.log.settle();
          headers.push(writers.header());
        }
        disk.cutPower(join(directory, 'streams'), share);
        await writers.close();
        if (headerOnDisk === 'none') replaceHeader(writers.journalPath, Buffer.alloc(usedHeaderBytes));
        if (headerOnDisk === 'earlier')
          replaceHeader(writers.journalPath, headers[headers.length >> 1] as Buffer);
        const faults: string[] = [];
        const store = openStreamStore(directory, (fault) => faults.push(fault));
        for (const [stream, text] of expected) assert.equal(await contentOf(store, stream), text);
        // The writer repairs files when it starts, and must not find anything else.
        for (const text of ['later\n', 'latest\n'])
          await store.append([{ stream: 'ch1', bytes: Buffer.from(text) }], nowMs);
        assert.equal(await contentOf(store, 'ch1'), `${expected.get('ch1')}later\nlatest\n`);
        assert.deepEqual([faults, await damageIn(store.verify())], [[], []]);
        await store.close();
      },
    ),
    { numRuns: propertyRuns(10) },
  );
});

test('small appends share a sync of their file', async (t) => {
  const disk = new Disk();
  const writers = new Writers(temporaryDirectory(t), disk.files);
  t.after(() => writers.close());
  await writers.commit('ch1', 'first\n');
  const before = disk.syncs;
  for (let number = 0; number < 300; number += 1) await writers.append('ch1', lineOf(number, 1000));
  assert.equal(disk.syncs - before, 1);
});

test('appends that wait for one another are written together, each once and in order', async (t) => {
  const directory = temporaryDirectory(t);
  const writers = new Writers(directory, realFiles);
  await writers.commit('ch1', 'first\n');
  const lines = Array.from({ length: 500 }, (_, number) => lineOf(number, 700));
  await Promise.all(lines.map((line) => writers.append('ch1', line)));
  await writers.close();
  const store = openStreamStore(directory);
  t.after(() => store.close());
  assert.equal(await contentOf(store, 'ch1'), `first\n${lines.join('')}`);
});

test('lines that a failed sync may have lost are written to the file again before the next', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'streams/ch1/19700101.0000.ndjson');
  let fails = false;
  const writers = new Writers(directory, {
    ...realFiles,
    sync: (descriptor: number) => (fails ? assert.fail('EIO') : realFiles.sync(descriptor)),
  });
  t.after(() => writers.close());
  await writers.commit('ch1', 'first\n');
  await writers.append('ch1', 'second\n');
  fails = true;
  await assert.rejects(writers.log.settle());
  // The kernel has dropped the page that it could not write.
  writeFileSync(file, 'first\n');
  fails = false;
  await writers.log.settle();
  assert.equal(readFileSync(file, 'utf8'), 'first\nsecond\n');
});

test('what a killed process had not acknowledged never replaces lines that were appended after it', async (t) => {
  const directory = temporaryDirectory(t);
  const writers = new Writers(directory, realFiles);
  await writers.commit('ch1', 'first\n');
  await writers.appendUnseen('ch1', 'unseen', 0);
  await writers.commit('ch1', 'second\n');
  await writers.close();
  const store = openStreamStore(directory);
  t.after(() => store.close());
  assert.equal(await contentOf(store, 'ch1'), 'first\nsecond\n');
});

test('a record of the journal that rots is named, and the lines before it are there', async (t) => {
  const directory = temporaryDirectory(t);
  const writers = new Writers(directory, realFiles);
  for (const text of ['one\n', 'two\n', 'three\n']) await writers.append('ch1', text);
  await writers.close();
  const journal = readFileSync(writers.journalPath);
  flipBit(writers.journalPath, journal.indexOf('three'));
  const faults: string[] = [];
  const store = openStreamStore(directory, (fault) => faults.push(fault));
  t.after(() => store.close());
  assert.equal(await contentOf(store, 'ch1'), 'one\ntwo\n');
  assert.match(faults.join(), /lines behind byte \d+ of .*appends\.journal are damaged/);
});

test('lines that a version without a journal had not synced are restored', async (t) => {
  const directory = temporaryDirectory(t);
  const log = new Writers(directory, realFiles);
  await log.commit('ch1', 'one\n');
  await log.commit('ch1', 'two\n');
  await log.close();
  const path = join(directory, 'streams/streams.db');
  const database = openForLock(path);
  database
    .prepare("insert into unsynced (stream, minute, position, bytes) values ('ch1', 0, 4, ?)")
    .run(Buffer.from('two\n'));
  database.close();
  writeFileSync(join(directory, 'streams/ch1/19700101.0000.ndjson'), 'one\n');
  const store = openStreamStore(directory);
  t.after(() => store.close());
  assert.equal(await contentOf(store, 'ch1'), 'one\ntwo\n');
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

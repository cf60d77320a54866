/**
 * Passive DNS on one machine, as a log-structured merge tree (LSM tree; O'Neil et al. 1996,
 * https://doi.org/10.1007/s002360050048): immutable sorted segments and a manifest that lists them. A batch of observations
 * becomes a segment; size-tiered compaction merges segments of similar size in the background. A lookup seeks in each segment
 * and merges what it finds.
 *
 * On disk, in `rrsets/`: `manifest.db` (`rrset/manifest.ts`) and for each segment the tables (SSTables)
 * `<segment>.forward`, `.inverse`, `.distinct` and, where it is large, `.trigram`. `rrset/segment/keys.ts` describes
 * their keys, `rrset/segment/table-writer.ts` and `rrset/segment/block.ts` the file format.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WorkerClient } from '../../concurrency/worker-client.ts';
import type { Clock } from '../../model/clock.ts';
import { hourMs } from '../../model/durations.ts';
import type {
  ImportState,
  Intake,
  IntakeOptions,
  NewlyObservedRrset,
  NewlyObservedScan,
  Row,
  RrsetStatistics,
  RrsetStore,
  Scan,
  Slices,
  TextRow,
  TextScan,
  UnpublishedBatch,
} from '../rrset-store.ts';
import { BatchIntake } from './rrset/batch-intake.ts';
import { chooseSegments } from './rrset/compaction-strategy.ts';
import { type ImportProgress, Manifest } from './rrset/manifest.ts';
import type { ObservationBatch } from './rrset/observation-batch.ts';
import { OpenSegments } from './rrset/open-segments.ts';
import type { RrsetCalls } from './rrset/rrset-calls.ts';
import { alreadyPublished, NewlyObservedScanner } from './rrset/scan/newly-observed-scanner.ts';
import { planScan } from './rrset/scan/plan-scan.ts';
import { ScanSlices } from './rrset/scan/scan-slices.ts';
import { SeenBefore } from './rrset/scan/seen-before.ts';
import { TextScanner } from './rrset/scan/text-scanner.ts';
import { BlockCache } from './rrset/segment/block-cache.ts';
import type { WrittenTable } from './rrset/segment/build-table.ts';
import type { SegmentSummary } from './rrset/segment/segment-files.ts';

const cacheBytes = 64 << 20;
/** Segments of similar size that trigger a compaction: during live collection, during an import, and in `compact()`. */
const compactAt = { live: 4, import: 64, explicit: 2 } as const;
/** Files without a segment whose writer is gone; younger ones may belong to a process in another PID namespace. */
const orphanMs = hourMs;

/**
 * `first` and `second` share the writing of a batch; `compactor` works in the background, so that writes never wait for it. A
 * thread that dies fails its own calls only, and the next call starts it again.
 */
type ThreadName = 'first' | 'second' | 'compactor';

export function openRrsetStore(data: string, clock: Clock): RrsetStore {
  const directory = join(data, 'rrsets');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return new EmbeddedRrsetStore(directory, clock);
}

class EmbeddedRrsetStore implements RrsetStore {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #manifest: Manifest;
  readonly #segments: OpenSegments;
  readonly #threads: WorkerClient<RrsetCalls, ThreadName>;
  /** Undefined while a scan of newly observed RRsets is using it. */
  #seenBefore: SeenBefore | undefined;
  #compacting: Promise<void> | undefined;
  #recovered = false;
  #sharedMemory: SharedArrayBuffer | undefined;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
    this.#manifest = new Manifest(directory);
    this.#segments = new OpenSegments(directory, this.#manifest, new BlockCache(cacheBytes));
    this.#threads = new WorkerClient<RrsetCalls, ThreadName>({
      file: new URL('./rrset/rrset-worker.ts', import.meta.url),
      workerData: { directory },
      owner: 'the RRset store',
      // A batch is acknowledged when it is committed, so nothing that is lost here was promised.
      finish: [],
    });
  }

  async openIntake({ importId, publish = false }: IntakeOptions = {}): Promise<Intake> {
    await this.#recoverFromCrash();
    const before = importId === undefined ? undefined : this.#manifest.findImport(importId);
    return new BatchIntake(
      {
        write: (batch, { before: durable, observations }) => {
          const progress = importId === undefined ? undefined : { id: importId, observations };
          return this.#write(batch, progress && { ...progress, complete: false, before: durable }, !publish);
        },
        complete: async (observations) => {
          if (importId === undefined || before?.complete) return;
          const progress = { id: importId, observations, complete: true, before: observations };
          await this.#threads.run('first', 'commit', { segment: undefined, progress, published: true });
        },
      },
      before?.observations ?? 0,
    );
  }

  async findImport(id: string): Promise<ImportState | undefined> {
    return this.#manifest.findImport(id);
  }

  scan(scan: Scan): Slices<Row> {
    return new ScanSlices(planScan(scan), this.#segments, scan.wanted);
  }

  scanText(scan: TextScan): Slices<TextRow> {
    return new ScanSlices(new TextScanner(scan, { left: scan.skip ?? 0 }), this.#segments, scan.wanted);
  }

  async findUnpublished(): Promise<UnpublishedBatch | undefined> {
    return this.#manifest.findUnpublished();
  }

  async *scanNewlyObserved({
    sequence,
    silenceSeconds,
  }: NewlyObservedScan): AsyncIterable<readonly NewlyObservedRrset[]> {
    const name = this.#manifest.findUnpublishedName(sequence);
    if (name === undefined) throw alreadyPublished(sequence);
    // A cache that covers this batch or a later one would hide what was new in it.
    const seenBefore =
      this.#seenBefore && this.#seenBefore.upTo < sequence ? this.#seenBefore : new SeenBefore();
    this.#seenBefore = undefined;
    const scanner = new NewlyObservedScanner({ name, sequence, silenceSeconds, seenBefore });
    yield* new ScanSlices(scanner, this.#segments);
    seenBefore.upTo = sequence;
    this.#seenBefore = seenBefore;
  }

  async markPublished(sequence: number): Promise<void> {
    await this.#threads.run('first', 'markPublished', sequence);
    this.#compactInBackground(compactAt.live);
  }

  state(): unknown {
    return this.#segments.current();
  }

  async statistics(): Promise<RrsetStatistics> {
    const segments = this.#manifest.list();
    const filled = segments.filter(({ rrsets }) => rrsets > 0);
    return {
      rrsets: segments.reduce((sum, { rrsets }) => sum + rrsets, 0),
      bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      segments: segments.length,
      firstSeconds: filled.length === 0 ? undefined : Math.min(...filled.map(({ minFirst }) => minFirst)),
      lastSeconds: filled.length === 0 ? undefined : Math.max(...filled.map(({ maxLast }) => maxLast)),
    };
  }

  async compact(): Promise<void> {
    await this.#compacting;
    while (await this.#compactOnce(compactAt.explicit, ['first', 'second']));
  }

  async close(): Promise<void> {
    await this.#threads.close();
    this.#segments.close();
    this.#manifest.close();
  }

  async #write(
    batch: ObservationBatch,
    progress: ImportProgress | undefined,
    published: boolean,
  ): Promise<void> {
    const memory = this.#sharedCopy(batch.contents());
    const name = newSegmentName(this.#clock);
    await this.#orRemoved(name, async () => {
      const tables = await allSettled([
        this.#threads.run('first', 'writeTable', memory, name, 'forward'),
        this.#threads.run('second', 'writeTable', memory, name, 'inverse'),
        this.#threads.run('second', 'writeTable', memory, name, 'distinct'),
      ]);
      const segment = summaryOf(name, tables);
      await this.#threads.run('first', 'commit', { segment, progress, published });
    });
    this.#sharedMemory = memory.buffer;
    this.#compactInBackground(progress ? compactAt.import : compactAt.live);
  }

  /**
   * Both threads read the batch in shared memory. Such memory is freed only after a garbage collection in every thread, so
   * it is reused from batch to batch.
   */
  #sharedCopy(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
    const spare = this.#sharedMemory;
    this.#sharedMemory = undefined;
    const memory =
      spare && spare.byteLength >= bytes.length
        ? spare
        : new SharedArrayBuffer(bytes.length + (bytes.length >>> 3));
    const copy = new Uint8Array(memory, 0, bytes.length);
    copy.set(bytes);
    return copy;
  }

  #compactInBackground(groupMin: number): void {
    if (this.#compacting || !chooseSegments(this.#manifest.list(), groupMin)) return;
    this.#compacting = this.#compactOnce(groupMin, ['compactor', 'compactor'])
      .then(() => undefined)
      // The sources stay in use until they are replaced; the next batch tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#compacting = undefined;
      });
  }

  /** True when there may be more to compact. */
  async #compactOnce(groupMin: number, [one, other]: readonly [ThreadName, ThreadName]): Promise<boolean> {
    const nowMs = this.#clock.now();
    const unclaimed = await this.#threads.run(one, 'listUnclaimed', nowMs);
    const sources = chooseSegments(unclaimed, groupMin)?.map(({ name }) => name);
    if (!sources) return false;
    const name = newSegmentName(this.#clock);
    if (!(await this.#threads.run(one, 'claim', sources, name, nowMs))) return true;
    const compaction = { sources, segment: name, nowSeconds: Math.floor(nowMs / 1000) };
    try {
      return await this.#orRemoved(name, async () => {
        const tables = await allSettled([
          this.#threads.run(one, 'compactTables', { ...compaction, table: 'forward' }),
          this.#threads.run(other, 'compactTables', { ...compaction, table: 'inverse' }),
          this.#threads.run(one, 'compactTables', { ...compaction, table: 'distinct' }),
        ]);
        return this.#threads.run(one, 'replace', summaryOf(name, tables), sources);
      });
    } catch (error) {
      await this.#threads.run(one, 'releaseClaim', name);
      throw error;
    }
  }

  /** Removes the files of a new segment when the work on it fails. */
  async #orRemoved<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      await this.#threads.run('first', 'removeSegment', name).catch(() => undefined);
      throw error;
    }
  }

  /** Releases the claims of killed processes, and removes the files they had not committed. */
  async #recoverFromCrash(): Promise<void> {
    if (this.#recovered) return;
    this.#recovered = true;
    for (const claimant of this.#manifest.listClaimants()) {
      if (!isWriterAlive(claimant)) await this.#threads.run('first', 'releaseClaim', claimant);
    }
    const listed = new Set(this.#manifest.list().map(({ name }) => name));
    for (const file of readdirSync(this.#directory)) {
      const name = segmentNameOf(file);
      if (name === undefined || listed.has(name) || isWriterAlive(name)) continue;
      const path = join(this.#directory, file);
      const ageMs = this.#clock.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (ageMs > orphanMs) rmSync(path, { force: true });
    }
  }
}

type Tables<Table> = readonly [forward: Table, inverse: Table, distinct: Table];

/** Like `Promise.all`, but a failure waits for the others too, so that no thread writes a file after its removal. */
async function allSettled(tables: Tables<Promise<WrittenTable>>): Promise<Tables<WrittenTable>> {
  await Promise.allSettled(tables);
  return Promise.all(tables);
}

function newSegmentName(clock: Clock): string {
  return `${clock.now()}-${process.pid}-${randomBytes(6).toString('hex')}`;
}

function segmentNameOf(file: string): string | undefined {
  return /^(\d+-\d+-[0-9a-f]+)\.[a-z]+$/.exec(file)?.[1];
}

/** The name of a segment contains the id of the process that writes it. */
function isWriterAlive(segment: string): boolean {
  try {
    process.kill(Number(segment.split('-')[1]), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function summaryOf(name: string, [forward, inverse, distinct]: Tables<WrittenTable>): SegmentSummary {
  const tables = [forward, inverse, distinct, ...(distinct.trigram ? [distinct.trigram] : [])];
  return {
    name,
    rrsets: forward.entries,
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    minFirst: forward.minFirst,
    maxLast: forward.maxLast,
    hasTrigrams: distinct.trigram !== undefined,
    checksums: tables.map(({ checksum }) => checksum),
  };
}

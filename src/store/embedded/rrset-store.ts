/**
 * Passive DNS on one machine, as a log-structured merge tree (LSM tree; O'Neil et al. 1996,
 * https://doi.org/10.1007/s002360050048): immutable sorted segments and a manifest that lists them. A batch of observations
 * becomes a segment; size-tiered compaction merges segments of similar size in the background. A lookup seeks in each segment
 * and merges what it finds.
 *
 * On disk, in `rrsets/`: `manifest.db` (`rrset/manifest.ts`) and for each segment the tables (SSTables)
 * `<segment>.forward`, `.inverse`, `.distinct` and, where it is large, `.trigram`. `rrset/segment/keys.ts` describes
 * their keys, `rrset/segment/table-writer.ts` and `rrset/segment/block.ts` the file format. Every part of it has a checksum,
 * which is verified when the part is read: what needs a damaged part fails with `DamagedData`, everything else works.
 */

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WorkerClient } from '../../concurrency/worker-client.ts';
import type { Clock } from '../../model/clock.ts';
import { hourMs } from '../../model/durations.ts';
import { type Damage, DamagedData } from '../damage.ts';
import type { FreeSpace } from '../free-space.ts';
import { BatchIntake } from '../rrset/batch-intake.ts';
import type { ObservationBatch } from '../rrset/observation-batch.ts';
import { alreadyPublished, NewlyObservedScanner } from '../rrset/scan/newly-observed-scanner.ts';
import { planScan } from '../rrset/scan/plan-scan.ts';
import { ScanBuffers } from '../rrset/scan/scan-buffers.ts';
import { type ScanResources, ScanSlices, sliceRowsMax } from '../rrset/scan/scan-slices.ts';
import { SeenBefore } from '../rrset/scan/seen-before.ts';
import type { SearchCalls } from '../rrset/search/search-calls.ts';
import { type SearchThread, TextSearch } from '../rrset/search/text-search.ts';
import { BlockCache } from '../rrset/segment/block-cache.ts';
import { isWriterAlive, newSegmentName, segmentNameOf } from '../rrset/segment-name.ts';
import { isSmall, SegmentWriter, type ThreadName } from '../rrset/segment-writer.ts';
import type {
  ImportState,
  Intake,
  IntakeOptions,
  NewlyObservedCounts,
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
import { type CacheSizes, usualCacheSizes } from './cache-sizes.ts';
import { Compactor, compactAt } from './rrset/compactor.ts';
import { type ImportProgress, Manifest } from './rrset/manifest.ts';
import { OpenSegments } from './rrset/open-segments.ts';
import type { RrsetCalls } from './rrset/rrset-calls.ts';
import { verifySegments } from './rrset/verify-segments.ts';
import { type RrsetThreads, writeSegment } from './rrset/write-segment.ts';

/** Scans that keep their buffers while they wait: those that are being read, but not hundreds of stalled readers. */
const scanBuffersMax = 16;
/** Newly observed RRsets are read by the pipeline alone, which does more with larger slices. */
const newlyObservedPerSlice = 1000;
/** Files without a segment whose writer is gone; younger ones may belong to a process in another PID namespace. */
const orphanMs = hourMs;

interface BatchCommit {
  readonly progress: ImportProgress | undefined;
  readonly published: boolean;
  /** Resolves when all earlier batches are durable. */
  readonly earlier: Promise<void>;
}

export interface RrsetStoreLimits {
  readonly freeSpace?: Pick<FreeSpace, 'state'>;
  readonly caches?: Pick<CacheSizes, 'rrsetBytes' | 'rrsetSearchBytes'>;
}

/** `onFault` is called with a message when compaction fails or finds a damaged segment. */
export function openRrsetStore(
  data: string,
  clock: Clock,
  onFault: (fault: string) => void = () => undefined,
  limits: RrsetStoreLimits = {},
): RrsetStore {
  const directory = join(data, 'rrsets');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  assertManifestExists(directory);
  return new EmbeddedRrsetStore(directory, clock, onFault, limits);
}

/** A new manifest beside segments would list none of them, and they would be removed as leftovers. */
function assertManifestExists(directory: string): void {
  const file = join(directory, 'manifest.db');
  if (existsSync(file) || !readdirSync(directory).some((name) => segmentNameOf(name) !== undefined)) return;
  throw new DamagedData({ file, problem: 'it is missing, but there are segments' });
}

class EmbeddedRrsetStore implements RrsetStore {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #manifest: Manifest;
  readonly #segments: OpenSegments;
  readonly #scans: ScanResources;
  readonly #search: SearchThread;
  readonly #threads: RrsetThreads;
  readonly #writer: SegmentWriter;
  readonly #compactor: Compactor;
  /** Undefined while a scan of newly observed RRsets is using it. */
  #seenBefore: SeenBefore | undefined;
  #recovered = false;

  constructor(
    directory: string,
    clock: Clock,
    onFault: (fault: string) => void,
    { freeSpace, caches = usualCacheSizes }: RrsetStoreLimits,
  ) {
    this.#directory = directory;
    this.#clock = clock;
    this.#manifest = new Manifest(directory);
    this.#segments = new OpenSegments(directory, this.#manifest, new BlockCache(caches.rrsetBytes));
    this.#scans = { segments: this.#segments, buffers: new ScanBuffers(scanBuffersMax) };
    this.#search = new WorkerClient<SearchCalls, 'search'>({
      file: new URL('./rrset/search-worker.ts', import.meta.url),
      workerData: { directory, cacheBytes: caches.rrsetSearchBytes },
      owner: 'flexible search',
      finish: [],
    });
    this.#threads = new WorkerClient<RrsetCalls, ThreadName>({
      file: new URL('./rrset/rrset-worker.ts', import.meta.url),
      workerData: { directory },
      owner: 'the RRset store',
      // A batch is acknowledged when it is committed, so nothing that is lost here was promised.
      finish: [],
    });
    this.#writer = new SegmentWriter(this.#threads);
    this.#compactor = new Compactor({
      threads: this.#threads,
      writer: this.#writer,
      manifest: this.#manifest,
      clock,
      onFault,
      freeSpace,
    });
  }

  async openIntake({ importId, publish = false }: IntakeOptions = {}): Promise<Intake> {
    await this.#recoverFromCrash();
    const before = importId === undefined ? undefined : this.#manifest.findImport(importId);
    return new BatchIntake(
      {
        write: (batch, { before: durable, observations, earlier }) => {
          const progress =
            importId === undefined
              ? undefined
              : { id: importId, observations, complete: false, before: durable };
          return this.#write(batch, { progress, published: !publish, earlier });
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

  async countNewlyObserved(importId: string): Promise<NewlyObservedCounts> {
    return this.#manifest.countNewlyObserved(importId);
  }

  scan(scan: Scan): Slices<Row> {
    return new ScanSlices(planScan(scan), this.#scans, Math.min(sliceRowsMax, scan.wanted ?? sliceRowsMax));
  }

  scanText(scan: TextScan): Slices<TextRow> {
    return new TextSearch(this.#search, scan);
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
    yield* new ScanSlices(scanner, this.#scans, newlyObservedPerSlice);
    seenBefore.upTo = sequence;
    this.#seenBefore = seenBefore;
  }

  async markPublished(sequence: number, counts: NewlyObservedCounts): Promise<void> {
    await this.#threads.run('first', 'markPublished', sequence, counts);
    this.#compactor.compactInBackground(compactAt.live);
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

  compact(): Promise<void> {
    return this.#compactor.compactAll();
  }

  verify(onProgress: (done: number, all: number) => void = () => undefined): AsyncIterable<Damage> {
    return verifySegments({ manifest: this.#manifest, threads: this.#threads, onProgress });
  }

  async close(): Promise<void> {
    await this.#threads.close();
    await this.#search.close();
    this.#segments.close();
    this.#manifest.close();
  }

  /** The tables of a large batch are written while those of the one before are: threads that are done with theirs need not wait for the others. */
  async #write(batch: ObservationBatch, { progress, published, earlier }: BatchCommit): Promise<void> {
    if (isSmall(batch.bytes)) await earlier;
    const name = newSegmentName(this.#clock);
    await writeSegment(name, this.#threads, async () => {
      const segment = await this.#writer.writeBatch(name, batch);
      await earlier;
      await this.#threads.run('first', 'commit', { segment, progress, published });
      return true;
    });
    this.#compactor.compactInBackground(progress ? compactAt.import : compactAt.live);
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

/**
 * Passive DNS of several nodes, as the log-structured merge tree of the embedded store: its segments are objects that never change, listed in PostgreSQL,
 * and each node reads them from files that it has fetched. Any node may write and compact.
 */
import { join } from 'node:path';
import { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { Clock } from '../../../model/clock.ts';
import type { Damage } from '../../damage.ts';
import { BatchIntake } from '../../rrset/batch-intake.ts';
import { alreadyPublished, NewlyObservedScanner } from '../../rrset/scan/newly-observed-scanner.ts';
import { planScan } from '../../rrset/scan/plan-scan.ts';
import { ScanBuffers } from '../../rrset/scan/scan-buffers.ts';
import { type ScanResources, ScanSlices, sliceRowsMax } from '../../rrset/scan/scan-slices.ts';
import { SeenBefore } from '../../rrset/scan/seen-before.ts';
import { BlockCache } from '../../rrset/segment/block-cache.ts';
import { SegmentWriter, type TableThreads, type ThreadName } from '../../rrset/segment-writer.ts';
import type { TableCalls } from '../../rrset/table-calls.ts';
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
} from '../../rrset-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import type { Objects } from '../s3/open-objects.ts';
import { type BatchWriteNeeds, BatchWrites } from './batch-writes.ts';
import { CachedSegments } from './cached-segments.ts';
import { Compactor, compactAt } from './compactor.ts';
import { FreshSlices, replacedFault } from './fresh-slices.ts';
import { SegmentList } from './segment-list.ts';
import { TableCache } from './table-cache.ts';
import { TextSearches } from './text-searches.ts';
import { verifyObjects } from './verify-objects.ts';

const scanBuffersMax = 16;
/** Newly observed RRsets are read by the pipeline alone, which does more with larger slices. */
const newlyObservedPerSlice = 1000;

export interface SegmentRrsetsOptions {
  readonly database: PostgresDatabase;
  readonly objects: Objects;
  readonly clock: Clock;
  /** Files of this node, which may be lost. */
  readonly cacheDirectory: string;
  /** How much may be in it, unless lookups need more at once. */
  readonly cacheBytesMax: number;
  /** Memory for blocks: of lookups, and of the index of flexible search. */
  readonly blockBytes: number;
  readonly searchBlockBytes: number;
  /** Called with a message when compaction fails, finds damage, or the cache directory is too small. */
  readonly onFault?: (fault: string) => void;
}

export function openSegmentRrsets(options: SegmentRrsetsOptions): RrsetStore {
  return new SegmentRrsetStore(options);
}

class SegmentRrsetStore implements RrsetStore {
  readonly #writes: BatchWriteNeeds;
  readonly #list: SegmentList;
  readonly #segments: CachedSegments;
  readonly #scans: ScanResources;
  readonly #searches: TextSearches;
  readonly #threads: TableThreads;
  readonly #compactor: Compactor;
  /** Undefined while a scan of newly observed RRsets is using it. */
  #seenBefore: SeenBefore | undefined;

  constructor(options: SegmentRrsetsOptions) {
    const { database, objects, clock, cacheBytesMax: bytesMax, onFault = () => undefined } = options;
    const directory = join(options.cacheDirectory, 'rrsets');
    const list = new SegmentList(database, objects.stored);
    const cache = new TableCache(directory, objects, list);
    const blocks = new BlockCache(options.blockBytes);
    this.#threads = new WorkerClient<TableCalls, ThreadName>({
      file: new URL('./segment-worker.ts', import.meta.url),
      workerData: { directory },
      owner: 'the RRset store',
      // A batch is acknowledged when it is listed, so nothing that is lost here was promised.
      finish: [],
    });
    this.#list = list;
    this.#writes = { list, cache, objects, clock, writer: new SegmentWriter(this.#threads) };
    this.#segments = new CachedSegments({ list, cache, blocks, clock, bytesMax, onFault });
    this.#scans = { segments: this.#segments, buffers: new ScanBuffers(scanBuffersMax) };
    this.#searches = new TextSearches(this.#segments, directory, options.searchBlockBytes);
    this.#compactor = new Compactor({ ...this.#writes, onFault });
  }

  async openIntake({ importId, publish = false }: IntakeOptions = {}): Promise<Intake> {
    const found = importId === undefined ? undefined : await this.#list.findImport(importId);
    const writes = new BatchWrites(this.#writes);
    // From here on, files of segments that are compacted away are removed.
    await this.#segments.refresh();
    return new BatchIntake(
      {
        write: async (batch, { before, observations, earlier }) => {
          await earlier;
          const progress =
            importId === undefined ? undefined : { id: importId, observations, complete: false, before };
          await writes.write(batch, { progress, published: !publish });
          this.#compactor.compactInBackground(progress ? compactAt.import : compactAt.live);
          // The batch is durable, whatever comes of this.
          await this.#segments.refresh().catch(() => undefined);
        },
        complete: async (observations) => {
          if (importId === undefined || found?.complete) return;
          await this.#list.completeImport({
            id: importId,
            observations,
            complete: true,
            before: observations,
          });
        },
      },
      found?.observations ?? 0,
    );
  }

  findImport(id: string): Promise<ImportState | undefined> {
    return this.#list.findImport(id);
  }

  countNewlyObserved(importId: string): Promise<NewlyObservedCounts> {
    return this.#list.countNewlyObserved(importId);
  }

  scan(scan: Scan): Slices<Row> {
    const rowsMax = Math.min(sliceRowsMax, scan.wanted ?? sliceRowsMax);
    return new FreshSlices(this.#segments, new ScanSlices(planScan(scan), this.#scans, rowsMax));
  }

  scanText(scan: TextScan): Slices<TextRow> {
    return new FreshSlices(this.#segments, this.#searches.search(scan));
  }

  findUnpublished(): Promise<UnpublishedBatch | undefined> {
    return this.#list.findUnpublished();
  }

  async *scanNewlyObserved({
    sequence,
    silenceSeconds,
  }: NewlyObservedScan): AsyncIterable<readonly NewlyObservedRrset[]> {
    const name = await this.#list.findUnpublishedName(sequence);
    if (name === undefined) throw alreadyPublished(sequence);
    await this.#segments.refresh();
    // A cache that covers this batch or a later one would hide what was new in it.
    const seenBefore =
      this.#seenBefore && this.#seenBefore.upTo < sequence ? this.#seenBefore : new SeenBefore();
    this.#seenBefore = undefined;
    const scanner = new NewlyObservedScanner({ name, sequence, silenceSeconds, seenBefore });
    try {
      yield* new ScanSlices(scanner, this.#scans, newlyObservedPerSlice);
    } catch (error) {
      throw await replacedFault(this.#segments, error);
    }
    seenBefore.upTo = sequence;
    this.#seenBefore = seenBefore;
  }

  async markPublished(sequence: number, counts: NewlyObservedCounts): Promise<void> {
    await this.#list.markPublished(sequence, counts);
    this.#compactor.compactInBackground(compactAt.live);
  }

  state(): unknown {
    return this.#segments.current();
  }

  statistics(): Promise<RrsetStatistics> {
    return this.#list.statistics();
  }

  async compact(): Promise<void> {
    await this.#compactor.compactAll();
    await this.#segments.refresh();
  }

  verify(onProgress: (done: number, all: number) => void = () => undefined): AsyncIterable<Damage> {
    const { list, objects, cache } = this.#writes;
    return verifyObjects({ list, objects, directory: cache.directory, onProgress });
  }

  async close(): Promise<void> {
    const closing = this.#compactor.close();
    await this.#threads.close();
    await closing;
    await this.#searches.close();
    await this.#segments.close();
  }
}

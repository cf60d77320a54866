/**
 * Passive DNS on one machine: sorted runs that never change, as in an LSM tree. A batch of observations becomes a run; runs of
 * like size are merged into one now and then. A lookup reads the same few places in each run and merges what it finds.
 * `rrset/keys.ts` describes the keys, `rrset/block.ts` the files, `rrset/manifest.ts` what ties them together.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../model/clock.ts';
import type {
  ImportState,
  Intake,
  IntakeOptions,
  NewsScan,
  Row,
  RrsetNews,
  RrsetStatistics,
  RrsetStore,
  Scan,
  Slices,
  TextRow,
  TextScan,
  UntoldRun,
} from '../rrset-store.ts';
import { BlockCache } from './rrset/block-cache.ts';
import { BatchIntake } from './rrset/intake.ts';
import { KnownBefore } from './rrset/known-before.ts';
import { type ImportProgress, Manifest } from './rrset/manifest.ts';
import { chooseRuns } from './rrset/merge-choice.ts';
import { alreadyTold, NewsWalk } from './rrset/news-walk.ts';
import type { ObservationBatch } from './rrset/observation-batch.ts';
import { OpenRuns } from './rrset/open-runs.ts';
import type { RunSummary } from './rrset/run-files.ts';
import { WalkSlices } from './rrset/slices.ts';
import { TextWalk } from './rrset/text-walk.ts';
import { type ThreadName, Threads } from './rrset/threads.ts';
import { walkOf } from './rrset/walk-of.ts';
import type { WrittenPart } from './rrset/write-part.ts';

const cacheBytes = 64 << 20;
/** Runs of like size that are worth merging: while data trickles in, while it pours in, and when asked to settle. */
const mergeAt = { trickle: 4, pour: 64, settle: 2 } as const;
/** Files without a run whose maker is gone; younger ones may belong to a process that we cannot see. */
const orphanMs = 3_600_000;

export function openRrsetStore(data: string, clock: Clock): RrsetStore {
  const directory = join(data, 'rrsets');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return new EmbeddedRrsetStore(directory, clock);
}

class EmbeddedRrsetStore implements RrsetStore {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #manifest: Manifest;
  readonly #runs: OpenRuns;
  readonly #threads: Threads;
  /** Taken by the scan of news that is under way. */
  #known: KnownBefore | undefined;
  #merging: Promise<void> | undefined;
  #tidied = false;
  #sharedMemory: SharedArrayBuffer | undefined;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
    this.#manifest = new Manifest(directory);
    this.#runs = new OpenRuns(directory, this.#manifest, new BlockCache(cacheBytes));
    this.#threads = new Threads(directory);
  }

  async openIntake({ importId, news = false }: IntakeOptions = {}): Promise<Intake> {
    await this.#tidyAfterTheDead();
    const before = importId === undefined ? undefined : this.#manifest.findImport(importId);
    return new BatchIntake(
      {
        write: (batch, { before: durable, observations }) => {
          const progress = importId === undefined ? undefined : { id: importId, observations };
          return this.#write(batch, progress && { ...progress, complete: false, before: durable }, !news);
        },
        complete: async (observations) => {
          if (importId === undefined || before?.complete) return;
          const progress = { id: importId, observations, complete: true, before: observations };
          await this.#threads.run('first', { kind: 'publish', run: undefined, progress, told: true });
        },
      },
      before?.observations ?? 0,
    );
  }

  async findImport(id: string): Promise<ImportState | undefined> {
    return this.#manifest.findImport(id);
  }

  scan(scan: Scan): Slices<Row> {
    return new WalkSlices(walkOf(scan), this.#runs, scan.wanted);
  }

  scanText(scan: TextScan): Slices<TextRow> {
    return new WalkSlices(new TextWalk(scan, { left: scan.skip ?? 0 }), this.#runs, scan.wanted);
  }

  async findUntold(): Promise<UntoldRun | undefined> {
    return this.#manifest.findUntold();
  }

  async *scanNews({ sequence, silenceSeconds }: NewsScan): AsyncIterable<readonly RrsetNews[]> {
    const name = this.#manifest.findUntoldName(sequence);
    if (name === undefined) throw alreadyTold(sequence);
    // What is remembered of this batch or a later one would hide what was new in it.
    const known = this.#known && this.#known.upTo < sequence ? this.#known : new KnownBefore();
    this.#known = undefined;
    const walk = new NewsWalk({ name, sequence, silenceSeconds, known });
    yield* new WalkSlices(walk, this.#runs);
    known.upTo = sequence;
    this.#known = known;
  }

  async markTold(sequence: number): Promise<void> {
    await this.#threads.run('first', { kind: 'mark-told', sequence });
    this.#mergeInBackground(mergeAt.trickle);
  }

  state(): unknown {
    return this.#runs.current();
  }

  async statistics(): Promise<RrsetStatistics> {
    const runs = this.#manifest.list();
    const filled = runs.filter(({ rrsets }) => rrsets > 0);
    return {
      rrsets: runs.reduce((sum, { rrsets }) => sum + rrsets, 0),
      bytes: runs.reduce((sum, { bytes }) => sum + bytes, 0),
      runs: runs.length,
      firstSeconds: filled.length === 0 ? undefined : Math.min(...filled.map(({ minFirst }) => minFirst)),
      lastSeconds: filled.length === 0 ? undefined : Math.max(...filled.map(({ maxLast }) => maxLast)),
    };
  }

  async settle(): Promise<void> {
    await this.#merging;
    while (await this.#mergeOnce(mergeAt.settle, ['first', 'second']));
  }

  async close(): Promise<void> {
    await this.#threads.close();
    this.#runs.close();
    this.#manifest.close();
  }

  async #write(batch: ObservationBatch, progress: ImportProgress | undefined, told: boolean): Promise<void> {
    const memory = this.#sharedCopy(batch.take());
    const name = newRunName(this.#clock);
    const job = { kind: 'write', batch: memory, run: name } as const;
    await this.#orRemoved(name, async () => {
      const [forward, inverse, distinct] = await Promise.all([
        this.#threads.run('first', { ...job, part: 'forward' }),
        this.#threads.run('second', { ...job, part: 'inverse' }),
        this.#threads.run('second', { ...job, part: 'distinct' }),
      ]);
      const run = summaryOf(name, forward, inverse, distinct);
      await this.#threads.run('first', { kind: 'publish', run, progress, told });
    });
    this.#sharedMemory = memory.buffer;
    this.#mergeInBackground(progress ? mergeAt.pour : mergeAt.trickle);
  }

  /**
   * Both threads read the batch where it lies. Memory that is shared is freed only when every thread has collected its
   * garbage, so the same memory serves one batch after another.
   */
  #sharedCopy(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
    const known = this.#sharedMemory;
    this.#sharedMemory = undefined;
    const memory =
      known && known.byteLength >= bytes.length
        ? known
        : new SharedArrayBuffer(bytes.length + (bytes.length >>> 3));
    const copy = new Uint8Array(memory, 0, bytes.length);
    copy.set(bytes);
    return copy;
  }

  #mergeInBackground(likeSizedMin: number): void {
    if (this.#merging || !chooseRuns(this.#manifest.list(), likeSizedMin)) return;
    this.#merging = this.#mergeOnce(likeSizedMin, ['keeper', 'keeper'])
      .then(() => undefined)
      // What could not be merged stays as it is, complete; the next batch tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#merging = undefined;
      });
  }

  async #mergeOnce(likeSizedMin: number, [one, other]: readonly [ThreadName, ThreadName]): Promise<boolean> {
    const nowMs = this.#clock.now();
    const free = await this.#threads.run(one, { kind: 'list-free', nowMs });
    const chosen = chooseRuns(free, likeSizedMin)?.map(({ name }) => name);
    if (!chosen) return false;
    const name = newRunName(this.#clock);
    const claim = { kind: 'claim', runs: chosen, claimant: name, nowMs } as const;
    if (!(await this.#threads.run(one, claim))) return true;
    const job = { kind: 'merge', runs: chosen, run: name, nowSeconds: Math.floor(nowMs / 1000) } as const;
    try {
      return await this.#orRemoved(name, async () => {
        const [forward, inverse, distinct] = await Promise.all([
          this.#threads.run(one, { ...job, part: 'forward' }),
          this.#threads.run(other, { ...job, part: 'inverse' }),
          this.#threads.run(one, { ...job, part: 'distinct' }),
        ]);
        const run = summaryOf(name, forward, inverse, distinct);
        return this.#threads.run(one, { kind: 'replace', run, of: chosen, claimant: name });
      });
    } catch (error) {
      await this.#threads.run(one, { kind: 'release', claimant: name });
      throw error;
    }
  }

  /** Work on a new run; if it fails, nothing of the run stays behind. */
  async #orRemoved<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      await this.#threads.run('first', { kind: 'remove', name }).catch(() => undefined);
      throw error;
    }
  }

  /** What killed processes left: runs that they were merging, and files half written. */
  async #tidyAfterTheDead(): Promise<void> {
    if (this.#tidied) return;
    this.#tidied = true;
    for (const claimant of this.#manifest.listClaimants()) {
      if (!isMakerAlive(claimant)) await this.#threads.run('first', { kind: 'release', claimant });
    }
    const known = new Set(this.#manifest.list().map(({ name }) => name));
    for (const file of readdirSync(this.#directory)) {
      const name = runNameOf(file);
      if (name === undefined || known.has(name) || isMakerAlive(name)) continue;
      const path = join(this.#directory, file);
      const ageMs = this.#clock.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (ageMs > orphanMs) rmSync(path, { force: true });
    }
  }
}

function newRunName(clock: Clock): string {
  return `${clock.now()}-${process.pid}-${randomBytes(6).toString('hex')}`;
}

function runNameOf(file: string): string | undefined {
  return /^(\d+-\d+-[0-9a-f]+)\.[a-z]+$/.exec(file)?.[1];
}

/** The name of a run tells the process that makes it. */
function isMakerAlive(run: string): boolean {
  try {
    process.kill(Number(run.split('-')[1]), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function summaryOf(
  name: string,
  forward: WrittenPart,
  inverse: WrittenPart,
  distinct: WrittenPart,
): RunSummary {
  const parts = [forward, inverse, distinct, ...(distinct.trigram ? [distinct.trigram] : [])];
  return {
    name,
    rrsets: forward.entries,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    minFirst: forward.minFirst,
    maxLast: forward.maxLast,
    hasTrigrams: distinct.trigram !== undefined,
    checksums: parts.map(({ checksum }) => checksum),
  };
}

/**
 * Tells what is new in passive DNS: one untold batch after the other becomes lines of channels and feeds. The mark of the
 * writer says which batch, and how many of its RRsets; it moves together with the lines, so whoever is killed on the way and
 * whoever goes on, each line is there once.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import type { RrsetStore, UntoldRun } from '../../store/rrset-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { NewsLines } from './news-lines.ts';

export interface TellNeeds {
  readonly rrsets: Pick<RrsetStore, 'findUntold' | 'scanNews' | 'markTold'>;
  readonly streams: Pick<StreamStore, 'append' | 'findMark' | 'holdPlace' | 'releasePlace'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'batch' | 'feeds'>;
}

/** What has been told and is durable. */
export interface ToldCounts {
  readonly rrsets: number;
  readonly lines: number;
  /** Seen for the first time. */
  readonly domains: number;
  readonly hosts: number;
}

export interface TellOptions {
  readonly signal?: AbortSignal;
  /** Batches beyond this one are left to others; all are told unless given. */
  readonly upToSequence?: number;
  /** About as much as is appended at once. */
  readonly chunkBytes?: number;
  /** What was told since the last call. */
  readonly onTold?: (told: ToldCounts) => void;
}

const writer = 'news';
/** Only to spare others the same work; the mark is what keeps them from doing it. */
const teller = { stream: 'news', name: 'teller' } as const;
const holdMs = 15_000;
const waitMs = 200;
const usualChunkBytes = 1 << 20;
const workMs = 3;
const daySeconds = 86_400;

/** Resolves when nothing that was asked for is untold any more, whoever told it, or when it is told to stop. */
export async function tellNews(needs: TellNeeds, options: TellOptions = {}): Promise<void> {
  const { signal, upToSequence = Number.POSITIVE_INFINITY } = options;
  const telling = new Telling(needs, options);
  try {
    for (;;) {
      if (signal?.aborted) return;
      const run = await needs.rrsets.findUntold();
      if (!run || run.sequence > upToSequence) return;
      if (await telling.hold()) await telling.tell(run);
      else await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await telling.release();
  }
}

class Telling {
  readonly #needs: TellNeeds;
  readonly #options: TellOptions;
  readonly #holder = randomUUID();
  readonly #lines: NewsLines;
  #heldUntilMs = 0;
  #isHolding = false;

  constructor(needs: TellNeeds, options: TellOptions) {
    this.#needs = needs;
    this.#options = options;
    this.#lines = new NewsLines(new Set(Object.keys(needs.settings.batch.channels).map(Number)));
  }

  async hold(): Promise<boolean> {
    const nowMs = this.#needs.clock.now();
    if (this.#isHolding && nowMs < this.#heldUntilMs - holdMs / 2) return true;
    const held = await this.#needs.streams.holdPlace(teller, this.#holder, nowMs, nowMs + holdMs);
    this.#heldUntilMs = nowMs + holdMs;
    this.#isHolding = held !== undefined;
    return this.#isHolding;
  }

  async release(): Promise<void> {
    if (this.#isHolding) await this.#needs.streams.releasePlace(teller, this.#holder);
  }

  /** Tells a batch, or ends early where another is telling it or nothing more is wanted. */
  async tell({ sequence, rrsets: all }: UntoldRun): Promise<void> {
    const { rrsets, streams, settings } = this.#needs;
    const { chunkBytes = usualChunkBytes } = this.#options;
    this.#lines.clear();
    let mark = await streams.findMark(writer);
    const before = rowsToldOf(mark, sequence);
    let passed = 0;
    let told = before;
    const append = async () => {
      const to = markOf(sequence, passed);
      if (!(await this.#append({ writer, from: mark, to }, passed - told))) return false;
      mark = to;
      told = passed;
      return this.hold();
    };
    if (before < all) {
      const silenceSeconds = settings.feeds.silenceDays * daySeconds;
      let workUntilMs = performance.now() + workMs;
      try {
        for await (const slice of rrsets.scanNews({ sequence, silenceSeconds })) {
          workUntilMs = performance.now() + workMs;
          for (const news of slice) {
            passed += 1;
            if (passed <= before) continue;
            this.#lines.add(news, this.#needs.clock.now());
            if (this.#lines.bytes >= chunkBytes && !(await append())) return;
            if (performance.now() < workUntilMs) continue;
            await turn();
            workUntilMs = performance.now() + workMs;
          }
          if (this.#options.signal?.aborted || !(await this.hold())) return;
        }
      } catch (error) {
        if (error instanceof Problem && error.code === 'not-found') return;
        throw error;
      }
    }
    if (this.#lines.count > 0 && !(await append())) return;
    await rrsets.markTold(sequence);
  }

  async #append(
    move: { readonly writer: string; readonly from: string | undefined; readonly to: string },
    rrsets: number,
  ): Promise<boolean> {
    const { count: lines, domains, hosts } = this.#lines;
    const nowMs = this.#needs.clock.now();
    const isAppended = await this.#needs.streams.append(this.#lines.take(nowMs), nowMs, move);
    if (isAppended) this.#options.onTold?.({ rrsets, lines, domains, hosts });
    return isAppended;
  }
}

function markOf(sequence: number, rows: number): string {
  return `${sequence}:${rows}`;
}

/** How many RRsets of a batch the mark says are told. */
function rowsToldOf(mark: string | undefined, sequence: number): number {
  const [of, rows] = (mark ?? '').split(':').map(Number);
  return of === sequence ? (rows ?? 0) : 0;
}

/** The response to a poll of a feed: its records, and the offset that its session commits once they have arrived. */
import type { Clock } from '../../model/clock.ts';
import { daySeconds, hourSeconds } from '../../model/durations.ts';
import { Problem } from '../../model/problem.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { Offset, OpenRange, StreamStore } from '../../store/stream-store.ts';
import { emptyReadPlan, planRead, type ReadPlan } from './read-plan.ts';
import { findReadRange, findTooNew, type TimeRange } from './read-range.ts';
import type { RecordFilter } from './record-filter.ts';
import { isUpToDate, type LeasedSession, leaseSession, type Session, type SessionNeeds } from './session.ts';

export interface FeedQuery {
  readonly feed: FeedName;
  readonly session: Session | undefined;
  readonly fromBeginning: boolean;
  /** Both are inclusive. */
  readonly afterSeconds: number | undefined;
  readonly beforeSeconds: number | undefined;
  readonly topMax: number | undefined;
  readonly filter: RecordFilter | undefined;
}

export interface FeedPageNeeds extends SessionNeeds {
  readonly streams: SessionNeeds['streams'] &
    Pick<StreamStore, 'findOffset' | 'findState' | 'offsetAt' | 'countLines' | 'openRange'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'feeds' | 'limits'>;
}

const newSessionSeconds = hourSeconds;

/** Throws `not-acceptable` for `fromBeginning` with an existing session, and `unavailable` where the session stays in use too long. */
export async function openFeedPage(
  query: FeedQuery,
  needs: FeedPageNeeds,
  signal: AbortSignal,
): Promise<FeedPage> {
  const { session, fromBeginning } = query;
  if (session && !fromBeginning && (await isUpToDate(session, needs))) {
    return new FeedPage(undefined, undefined, emptyReadPlan(0));
  }
  const leased = session && (await leaseSession(session, needs, signal));
  let range: OpenRange | undefined;
  try {
    if (leased?.offset !== undefined && fromBeginning) {
      throw new Problem('not-acceptable', 'fromBeginning is for new sessions, and this one already exists.');
    }
    const stream = feedStream(query.feed);
    let readRange = await findReadRange(needs.streams, stream, timeRangeOf(query, leased?.offset, needs));
    range = await needs.streams.openRange(stream, readRange.from, readRange.to);
    if (!range) return new FeedPage(undefined, leased, emptyReadPlan(readRange.to));
    if (leased && query.beforeSeconds !== undefined) {
      readRange = { ...readRange, to: await findTooNew(range, readRange) };
    }
    const scan = { range, readRange, filter: query.filter, signal };
    const plan = await planRead(query.feed, scan, {
      topMax: query.topMax,
      recordsMax: needs.settings.limits.feed.recordsMax,
      linesMax: await needs.streams.countLines(stream, readRange.from, readRange.to),
      hasSession: leased !== undefined,
    });
    return new FeedPage(range, leased, plan, readRange.oldest);
  } catch (error) {
    await range?.close();
    await leased?.release();
    throw error;
  }
}

/** An existing session continues from its offset; records older than the retention are never returned. */
function timeRangeOf(
  query: FeedQuery,
  offset: Offset | undefined,
  { clock, settings }: FeedPageNeeds,
): TimeRange {
  const nowSeconds = Math.floor(clock.now() / 1000);
  const oldestSeconds = nowSeconds - settings.feeds.retentionDays * daySeconds;
  const { afterSeconds, beforeSeconds, fromBeginning, session } = query;
  const wanted = afterSeconds ?? (session && !fromBeginning ? nowSeconds - newSessionSeconds : oldestSeconds);
  const start = offset === undefined ? wanted : oldestSeconds;
  return { afterSeconds: Math.max(start, oldestSeconds), beforeSeconds, offset };
}

export class FeedPage {
  readonly #range: OpenRange | undefined;
  readonly #session: LeasedSession | undefined;
  readonly #plan: ReadPlan;
  readonly #oldest: string;
  #covered: Offset | undefined;

  constructor(range: OpenRange | undefined, session: LeasedSession | undefined, plan: ReadPlan, oldest = '') {
    this.#range = range;
    this.#session = session;
    this.#plan = plan;
    this.#oldest = oldest;
  }

  /** False where more records are left than one response may have. */
  get complete(): boolean {
    return this.#plan.complete;
  }

  /**
   * For a client without a session, where records are left: the value of `after` that requests them. Records of that second are repeated.
   * Undefined where one second alone has more records than a response, or records are not in feed order.
   */
  get nextAfter(): string | undefined {
    const { lastTimestamp = '' } = this.#plan;
    return lastTimestamp > this.#oldest ? lastTimestamp : undefined;
  }

  /** Whether the response continues that of the poll before, which was incomplete. */
  async isContinuation(): Promise<boolean> {
    return (await this.#session?.isContinuation()) ?? false;
  }

  /** Whole lines, valid until the next ones are requested. */
  async *records(): AsyncGenerator<Uint8Array, void, undefined> {
    const covered = yield* this.#plan.run();
    // Before the client can see the end of the response, because its next request may follow at once.
    if (!this.complete) await this.#session?.markContinued(covered);
    this.#covered = covered;
  }

  /** Must always be called. The session advances only where everything was sent. */
  async finish(sent: boolean): Promise<void> {
    try {
      await this.#range?.close();
      if (this.#covered === undefined) return;
      if (sent && this.#covered !== this.#session?.offset) await this.#session?.commit(this.#covered);
      else if (!this.complete) await this.#session?.clearContinued();
    } finally {
      await this.#session?.release();
    }
  }
}

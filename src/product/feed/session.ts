/**
 * Feed sessions: the consumer offset of a client, stored under a name of its choice. Polls of one session run one at a time, across all
 * processes, because each starts where the previous one ended.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyedMutex } from '../../concurrency/keyed-mutex.ts';
import type { Clock } from '../../model/clock.ts';
import { hourMs } from '../../model/durations.ts';
import { Problem } from '../../model/problem.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { Consumer, Offset, StreamStore } from '../../store/stream-store.ts';

export interface Session {
  readonly feed: FeedName;
  readonly accountId: string;
  /** Of the client's choice. */
  readonly id: string;
}

export interface FeedSession {
  readonly id: string;
  readonly usedMs: number;
  readonly behindBytes: number;
  /** At most; see `countLines`. */
  readonly behindLines: number;
}

export interface SessionNeeds {
  readonly streams: Pick<
    StreamStore,
    'findOffset' | 'leaseOffset' | 'commitOffset' | 'releaseOffset' | 'removeConsumer'
  >;
  readonly clock: Clock;
  readonly mutex: KeyedMutex;
}

/**
 * Prefixes of consumer names: the offset of a session; the mark that its next poll is free, because the last response was incomplete;
 * and the offset behind the last incomplete response.
 */
export const sessionPrefix = 'session:';
export const continuedPrefix = 'continued:';
export const incompletePrefix = 'incomplete:';

const sessionsListedMax = 200;
/** Shorter than `waitMs`: the lease of a killed process expires before another poll gives up. */
const leaseMs = 20_000;
const renewalMs = 5000;
const waitMs = 30_000;
const retryMs = 50;
/** An up-to-date session is leased at least this often, so that it does not count as idle. */
const unleasedMs = hourMs;

function consumerOf({ feed, accountId, id }: Session, prefix: string): Consumer {
  return { stream: feedStream(feed), name: `${prefix}${accountId}:${id}` };
}

interface SessionLease {
  readonly holder: string;
  readonly offset: Offset | undefined;
  /** Releases the mutex of this process. */
  readonly unlock: () => void;
}

/** Sessions of an account on a feed, and how far each is behind its end. */
export async function listSessions(
  feed: FeedName,
  accountId: string,
  { streams }: { readonly streams: Pick<StreamStore, 'listConsumers' | 'findState' | 'countLines'> },
): Promise<readonly FeedSession[]> {
  const stream = feedStream(feed);
  const prefix = `${sessionPrefix}${accountId}:`;
  const consumers = await streams.listConsumers(stream, prefix, sessionsListedMax);
  const end = (await streams.findState(stream))?.end ?? 0;
  return Promise.all(
    consumers.map(async ({ name, offset, usedMs }) => ({
      id: name.slice(prefix.length),
      usedMs,
      behindBytes: Math.max(0, end - offset),
      behindLines: offset < end ? await streams.countLines(stream, offset, end) : 0,
    })),
  );
}

/** A session leased by one poll. */
export class LeasedSession {
  /** Undefined for a new session. */
  readonly offset: Offset | undefined;
  readonly #session: Session;
  readonly #consumer: Consumer;
  readonly #holder: string;
  readonly #needs: SessionNeeds;
  readonly #timer: NodeJS.Timeout;
  readonly #unlock: () => void;
  #renewal: Promise<unknown> = Promise.resolve();
  #committed: Offset | undefined;
  #isLost = false;

  constructor(session: Session, { holder, offset, unlock }: SessionLease, needs: SessionNeeds) {
    this.offset = offset;
    this.#committed = offset;
    this.#unlock = unlock;
    this.#session = session;
    this.#consumer = consumerOf(session, sessionPrefix);
    this.#holder = holder;
    this.#needs = needs;
    this.#timer = setInterval(() => {
      // If the renewal fails, the lease may expire, and the offset is then not committed.
      this.#renewal = this.#renew().catch(() => undefined);
    }, renewalMs).unref();
  }

  /** False where the lease was lost to another poll, which then returns the same records. */
  async commit(offset: Offset): Promise<boolean> {
    if (this.#isLost) return false;
    const { streams, clock } = this.#needs;
    this.#committed = offset;
    return streams.commitOffset(this.#consumer, this.#holder, offset, clock.now());
  }

  /**
   * Another poll may have had the session in the meantime, where the lease ended early because the clock was set forward. The offset has
   * moved then, and committing that of this poll would move it back.
   */
  async #renew(): Promise<void> {
    const before = this.#committed;
    const leased = await lease(this.#consumer, this.#holder, this.#needs);
    if (!leased || (leased.offset !== before && leased.offset !== this.#committed)) this.#isLost = true;
  }

  /** Marks that the next poll continues an incomplete response. */
  async markContinued(offset: Offset): Promise<void> {
    const { streams, clock } = this.#needs;
    for (const prefix of [incompletePrefix, continuedPrefix]) {
      const consumer = consumerOf(this.#session, prefix);
      if (!(await lease(consumer, this.#holder, this.#needs))) return;
      await streams.commitOffset(consumer, this.#holder, offset, clock.now());
      await streams.releaseOffset(consumer, this.#holder);
    }
  }

  /** Whether the last response of the session was incomplete. It stays so until the next one has been delivered. */
  async isContinuation(): Promise<boolean> {
    const known = await this.#needs.streams.findOffset(consumerOf(this.#session, incompletePrefix));
    return known !== undefined && known.offset === this.offset;
  }

  /** Removes that mark: the response was not delivered. */
  async clearContinued(): Promise<void> {
    await this.#needs.streams.removeConsumer(consumerOf(this.#session, continuedPrefix));
  }

  async remove(): Promise<void> {
    await this.clearContinued();
    await this.#needs.streams.removeConsumer(consumerOf(this.#session, incompletePrefix));
    await this.#needs.streams.removeConsumer(this.#consumer);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#renewal;
      await this.#needs.streams.releaseOffset(this.#consumer, this.#holder);
    } finally {
      this.#unlock();
    }
  }
}

function lease(consumer: Consumer, holder: string, { streams, clock }: SessionNeeds) {
  const nowMs = clock.now();
  return streams.leaseOffset(consumer, holder, nowMs, nowMs + leaseMs);
}

/** Waits while another poll of the session is in progress. */
export async function leaseSession(
  session: Session,
  needs: SessionNeeds,
  signal: AbortSignal,
): Promise<LeasedSession> {
  const holder = randomUUID();
  const consumer = consumerOf(session, sessionPrefix);
  const until = performance.now() + waitMs;
  const unlock = await needs.mutex.acquire(`${consumer.stream} ${consumer.name}`, {
    timeoutMs: waitMs,
    signal,
    timeoutError: sessionInUse,
  });
  try {
    // Another process may hold the lease.
    for (;;) {
      signal.throwIfAborted();
      const leased = await lease(consumer, holder, needs);
      if (leased) return new LeasedSession(session, { holder, offset: leased.offset, unlock }, needs);
      if (performance.now() >= until) throw sessionInUse();
      await pause(retryMs);
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

function sessionInUse(): Problem {
  return new Problem('unavailable', 'Another request of this session is still in progress.');
}

/** Whether a session has nothing new to read. Such a poll needs no lease, and so writes nothing. */
export async function isUpToDate(
  session: Session,
  {
    streams,
    clock,
  }: { readonly streams: Pick<StreamStore, 'findOffset' | 'findState'>; readonly clock: Clock },
): Promise<boolean> {
  const known = await streams.findOffset(consumerOf(session, sessionPrefix));
  if (!known || clock.now() - known.usedMs > unleasedMs) return false;
  const state = await streams.findState(feedStream(session.feed));
  return known.offset === (state?.end ?? 0);
}

/** Whether a poll continues an incomplete response; true once for each such response. */
export async function clearContinuedMark(
  session: Session,
  { streams }: { readonly streams: Pick<StreamStore, 'findOffset' | 'removeConsumer'> },
): Promise<boolean> {
  const consumer = consumerOf(session, continuedPrefix);
  return (await streams.findOffset(consumer)) !== undefined && (await streams.removeConsumer(consumer));
}

/** Throws `not-found`. Waits for a poll in progress. */
export async function endSession(session: Session, needs: SessionNeeds, signal: AbortSignal): Promise<void> {
  const leased = await leaseSession(session, needs, signal);
  try {
    if (leased.offset === undefined) throw new Problem('not-found', 'This feed has no such session.');
    await leased.remove();
  } finally {
    await leased.release();
  }
}

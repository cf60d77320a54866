/**
 * Sessions: where a client stopped reading a feed, kept under a name of its choice. One poll of a session at a time, in all
 * processes, because the next one starts where this one ends.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { Offset, Reader, StreamStore } from '../../store/stream-store.ts';
import { type SessionTurns, sessionInUse } from './session-turns.ts';

export interface Session {
  readonly feed: FeedName;
  readonly accountId: string;
  /** Of the client's choice. */
  readonly id: string;
}

export interface SessionNeeds {
  readonly streams: Pick<StreamStore, 'holdPlace' | 'movePlace' | 'releasePlace' | 'removePlace'>;
  readonly clock: Clock;
  readonly turns: SessionTurns;
}

/** Names of readers begin so: the place of a session, and the mark that its last answer left something out. */
export const sessionPrefix = 'session:';
export const continuedPrefix = 'continued:';

/** The session of a process that was killed is free again before anybody has waited in vain for it. */
const leaseMs = 20_000;
const renewalMs = 5000;
const waitMs = 30_000;
const retryMs = 50;
const unheldMs = 3_600_000;

function readerOf({ feed, accountId, id }: Session, prefix: string): Reader {
  return { stream: feedStream(feed), name: `${prefix}${accountId}:${id}` };
}

/** A session in the hands of one poll. */
export class HeldSession {
  /** Undefined for a session that is new. */
  readonly place: Offset | undefined;
  readonly #session: Session;
  readonly #reader: Reader;
  readonly #holder: string;
  readonly #needs: SessionNeeds;
  readonly #timer: NodeJS.Timeout;
  readonly #over: () => void;
  #renewal: Promise<unknown> = Promise.resolve();

  constructor(
    session: Session,
    holder: string,
    place: Offset | undefined,
    needs: SessionNeeds,
    over: () => void,
  ) {
    this.place = place;
    this.#over = over;
    this.#session = session;
    this.#reader = readerOf(session, sessionPrefix);
    this.#holder = holder;
    this.#needs = needs;
    this.#timer = setInterval(() => {
      // Without it somebody else may take the session over, and then the place does not move.
      this.#renewal = hold(this.#reader, holder, needs).catch(() => undefined);
    }, renewalMs).unref();
  }

  /** False where the session was lost to somebody else, who then gets the same records. */
  moveTo(place: Offset): Promise<boolean> {
    return this.#needs.streams.movePlace(this.#reader, this.#holder, place, this.#needs.clock.now());
  }

  /** Notes that the next poll only goes on with this answer. */
  async noteContinued(place: Offset): Promise<void> {
    const { streams, clock } = this.#needs;
    const reader = readerOf(this.#session, continuedPrefix);
    if (!(await hold(reader, this.#holder, this.#needs))) return;
    await streams.movePlace(reader, this.#holder, place, clock.now());
    await streams.releasePlace(reader, this.#holder);
  }

  /** Forgets that note: the answer did not get through. */
  async forgetContinued(): Promise<void> {
    await this.#needs.streams.removePlace(readerOf(this.#session, continuedPrefix));
  }

  async remove(): Promise<void> {
    await this.forgetContinued();
    await this.#needs.streams.removePlace(this.#reader);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#renewal;
      await this.#needs.streams.releasePlace(this.#reader, this.#holder);
    } finally {
      this.#over();
    }
  }
}

function hold(reader: Reader, holder: string, { streams, clock }: SessionNeeds) {
  const nowMs = clock.now();
  return streams.holdPlace(reader, holder, nowMs, nowMs + leaseMs);
}

/** Waits while another poll of the session is under way. */
export async function holdSession(
  session: Session,
  needs: SessionNeeds,
  signal: AbortSignal,
): Promise<HeldSession> {
  const holder = randomUUID();
  const reader = readerOf(session, sessionPrefix);
  const until = performance.now() + waitMs;
  const over = await needs.turns.take(`${reader.stream} ${reader.name}`, waitMs, signal);
  try {
    // Another process may have it.
    for (;;) {
      signal.throwIfAborted();
      const held = await hold(reader, holder, needs);
      if (held) return new HeldSession(session, holder, held.place, needs, over);
      if (performance.now() >= until) throw sessionInUse();
      await pause(retryMs);
    }
  } catch (error) {
    over();
    throw error;
  }
}

/**
 * Whether a session has nothing to read; then nobody needs to hold it, and a poll in vain writes nothing. Now and then it is
 * held all the same, so that it does not pass for forgotten.
 */
export async function isUpToDate(
  session: Session,
  {
    streams,
    clock,
  }: { readonly streams: Pick<StreamStore, 'findPlace' | 'findState'>; readonly clock: Clock },
): Promise<boolean> {
  const known = await streams.findPlace(readerOf(session, sessionPrefix));
  if (!known || clock.now() - known.usedMs > unheldMs) return false;
  const state = await streams.findState(feedStream(session.feed));
  return known.place === (state?.end ?? 0);
}

/** Whether a poll only goes on with an answer that was too long; true once for each such answer. */
export async function takeContinued(
  session: Session,
  { streams }: { readonly streams: Pick<StreamStore, 'findPlace' | 'removePlace'> },
): Promise<boolean> {
  const reader = readerOf(session, continuedPrefix);
  return (await streams.findPlace(reader)) !== undefined && (await streams.removePlace(reader));
}

/** Throws `not-found`. A poll that is under way comes to its end first. */
export async function endSession(session: Session, needs: SessionNeeds, signal: AbortSignal): Promise<void> {
  const held = await holdSession(session, needs, signal);
  try {
    if (held.place === undefined) throw new Problem('not-found', 'There is no such session of this feed.');
    await held.remove();
  } finally {
    await held.release();
  }
}

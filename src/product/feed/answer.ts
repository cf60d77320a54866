/** The answer to a poll of a feed: which records it holds, and where its session stands when they have arrived. */
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { Offset, OpenRange, StreamStore } from '../../store/stream-store.ts';
import { type Course, emptyCourse, planCourse } from './course.ts';
import type { Keeps } from './record-filter.ts';
import { type HeldSession, holdSession, isUpToDate, type Session, type SessionNeeds } from './session.ts';
import { findWindow, placeOfFirstLate, type Span } from './window.ts';

export interface FeedQuestion {
  readonly feed: FeedName;
  readonly session: Session | undefined;
  readonly fromBeginning: boolean;
  /** Both are inclusive. */
  readonly afterSeconds: number | undefined;
  readonly beforeSeconds: number | undefined;
  readonly topMax: number | undefined;
  readonly keeps: Keeps | undefined;
}

export interface AnswerNeeds extends SessionNeeds {
  readonly streams: SessionNeeds['streams'] &
    Pick<StreamStore, 'findPlace' | 'findState' | 'offsetAt' | 'countLines' | 'openRange'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'feeds' | 'limits'>;
}

const newSessionSeconds = 3600;

/** Throws `not-acceptable` for a session that cannot begin again, and `unavailable` where it is in use for long. */
export async function openAnswer(
  question: FeedQuestion,
  needs: AnswerNeeds,
  signal: AbortSignal,
): Promise<FeedAnswer> {
  const { session, fromBeginning } = question;
  if (session && !fromBeginning && (await isUpToDate(session, needs))) {
    return new FeedAnswer(undefined, undefined, emptyCourse(0));
  }
  const held = session && (await holdSession(session, needs, signal));
  let range: OpenRange | undefined;
  try {
    if (held?.place !== undefined && fromBeginning) {
      throw new Problem('not-acceptable', 'fromBeginning is for a new session, and this one exists already.');
    }
    const stream = feedStream(question.feed);
    let window = await findWindow(needs.streams, stream, spanOf(question, held?.place, needs));
    range = await needs.streams.openRange(stream, window.from, window.to);
    if (!range) return new FeedAnswer(undefined, held, emptyCourse(window.to));
    if (held && question.beforeSeconds !== undefined) {
      window = { ...window, to: await placeOfFirstLate(range, window) };
    }
    const scan = { range, window, keeps: question.keeps, signal };
    const course = await planCourse(question.feed, scan, {
      topMax: question.topMax,
      recordsMax: needs.settings.limits.feed.recordsMax,
      linesMax: await needs.streams.countLines(stream, window.from, window.to),
    });
    return new FeedAnswer(range, held, course);
  } catch (error) {
    await range?.close();
    await held?.release();
    throw error;
  }
}

/** A session that exists goes on where it stands; what is older than a feed keeps is not given to anybody. */
function spanOf(question: FeedQuestion, place: Offset | undefined, { clock, settings }: AnswerNeeds): Span {
  const nowSeconds = Math.floor(clock.now() / 1000);
  const oldestSeconds = nowSeconds - settings.feeds.retentionDays * 86_400;
  const { afterSeconds, beforeSeconds, fromBeginning, session } = question;
  const wanted = afterSeconds ?? (session && !fromBeginning ? nowSeconds - newSessionSeconds : oldestSeconds);
  const start = place === undefined ? wanted : oldestSeconds;
  return { afterSeconds: Math.max(start, oldestSeconds), beforeSeconds, place };
}

export class FeedAnswer {
  readonly #range: OpenRange | undefined;
  readonly #held: HeldSession | undefined;
  readonly #course: Course;
  #covered: Offset | undefined;

  constructor(range: OpenRange | undefined, held: HeldSession | undefined, course: Course) {
    this.#range = range;
    this.#held = held;
    this.#course = course;
  }

  /** False where more records are left than one answer may carry. */
  get complete(): boolean {
    return this.#course.complete;
  }

  /** Whole lines, good until the next are asked for. */
  async *records(): AsyncGenerator<Uint8Array, void, undefined> {
    const covered = yield* this.#course.run();
    // Noted before the client can know that it has all, because its next request may be quick.
    if (!this.complete) await this.#held?.noteContinued(covered);
    this.#covered = covered;
  }

  /** To be told in every case whether all of it was sent. Only then the session moves on. */
  async settle(sent: boolean): Promise<void> {
    try {
      await this.#range?.close();
      if (this.#covered === undefined) return;
      if (sent && this.#covered !== this.#held?.place) await this.#held?.moveTo(this.#covered);
      else if (!this.complete) await this.#held?.forgetContinued();
    } finally {
      await this.#held?.release();
    }
  }
}

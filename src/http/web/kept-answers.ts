/** Answers that are kept for a minute, so that going back and forth does not use up the limits of the account. */
import { minuteMs } from '../../model/durations.ts';

interface Kept<Answer> {
  readonly untilMs: number;
  readonly answer: Promise<Answer>;
}

export class KeptAnswers<Answer> {
  readonly #answersMax: number;
  /** Oldest first. */
  readonly #kept = new Map<string, Kept<Answer>>();

  constructor(answersMax = 500) {
    this.#answersMax = answersMax;
  }

  /** The kept answer, or what `make` gives; a failure is not kept. Requests at the same time share one. */
  get(key: string, nowMs: number, make: () => Promise<Answer>): Promise<Answer> {
    const known = this.#kept.get(key);
    // A time that is ahead of now is of a clock that was set back.
    if (known && known.untilMs > nowMs && known.untilMs <= nowMs + minuteMs) return known.answer;
    const answer = make();
    const kept = { untilMs: nowMs + minuteMs, answer };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    answer.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    this.#dropOld(nowMs);
    return answer;
  }

  #dropOld(nowMs: number): void {
    for (const [oldest, { untilMs }] of this.#kept) {
      if (this.#kept.size <= this.#answersMax && untilMs > nowMs) break;
      this.#kept.delete(oldest);
    }
  }
}

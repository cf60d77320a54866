/**
 * The line in front of one server of others: so many at once, a pause from one start to the next, and a rest for a server that fails
 * again and again. Whoever comes while it rests is turned away at once, and need not wait for nothing. After a rest
 * one is let through to see how it is.
 */
import { Problem } from '../../model/problem.ts';

export interface LineRules {
  readonly atOnceMax: number;
  readonly pauseMs: number;
}

/** Time as it passes here; tests bring their own. */
export interface Passing {
  now(): number;
  /** Calls back later; what is given back undoes it. */
  after(ms: number, call: () => void): () => void;
}

const failuresBeforeRest = 3;
const firstRestMs = 5000;
const longestRestMs = 300_000;
/** A server that failed and was left alone this long after its rest is like any other. */
const forgetMs = 600_000;

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (reason: unknown) => void;
}

export class ServerLine {
  readonly #name: string;
  readonly #rules: LineRules;
  readonly #passing: Passing;
  readonly #waiting = new Set<Waiting>();
  #underWay = 0;
  #nextStartMs = 0;
  /** One after the other, with nothing good between them. */
  #failures = 0;
  #restUntilMs = 0;
  #cancelLook: (() => void) | undefined;

  constructor(name: string, rules: LineRules, passing: Passing) {
    this.#name = name;
    this.#rules = rules;
    this.#passing = passing;
  }

  /** Resolves when the turn has come. Throws the Problem `unavailable` where the server rests, or the reason of the signal. */
  enter(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      if (this.#restUntilMs > this.#passing.now()) return reject(this.#resting());
      const leave = () => waiting.refuse(signal.reason);
      const end = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', leave);
      };
      const waiting: Waiting = {
        begin: () => (end(), resolve()),
        refuse: (reason) => (end(), reject(reason)),
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(waiting);
      this.#letThrough();
    });
  }

  leave(isWell: boolean): void {
    this.#underWay -= 1;
    this.#failures = isWell ? 0 : this.#failures + 1;
    if (isWell) this.#restUntilMs = 0;
    else if (this.#failures >= failuresBeforeRest) this.#rest();
    this.#letThrough();
  }

  /** Nobody is here, and nothing would be lost with it. */
  isForgettable(): boolean {
    const nowMs = this.#passing.now();
    const isBusy = this.#underWay > 0 || this.#waiting.size > 0 || this.#nextStartMs > nowMs;
    return !isBusy && (this.#failures === 0 || this.#restUntilMs + forgetMs < nowMs);
  }

  #rest(): void {
    const restMs = firstRestMs * 2 ** (this.#failures - failuresBeforeRest);
    this.#restUntilMs = this.#passing.now() + Math.min(restMs, longestRestMs);
    for (const waiting of this.#waiting) waiting.refuse(this.#resting());
  }

  #resting(): Problem {
    return new Problem(
      'unavailable',
      `${this.#name} has failed ${this.#failures} times, and is left alone for a while`,
    );
  }

  #letThrough(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    const atOnceMax = this.#failures >= failuresBeforeRest ? 1 : this.#rules.atOnceMax;
    for (const waiting of this.#waiting) {
      if (this.#underWay >= atOnceMax) return;
      const nowMs = this.#passing.now();
      if (this.#nextStartMs > nowMs) {
        this.#cancelLook = this.#passing.after(this.#nextStartMs - nowMs, () => this.#letThrough());
        return;
      }
      this.#underWay += 1;
      this.#nextStartMs = nowMs + this.#rules.pauseMs;
      waiting.begin();
    }
  }
}

/** Turns with all servers of others: a line for each that is asked now or was a moment ago, and no memory of the others. */
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import type { Politeness } from '../collectors/collector.ts';
import { type LineRules, type Passing, ServerLine } from './server-line.ts';

/** So many are kept without looking for those that can be forgotten. */
const linesUsual = 1000;

const realTime: Passing = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

export class PoliteTurns implements Politeness {
  readonly #rules: LineRules;
  readonly #passing: Passing;
  readonly #lines = new Map<string, ServerLine>();
  #linesMax = linesUsual;

  constructor(
    settings: Pick<Settings['collect'], 'serverRequestsMax' | 'serverPauseMilliseconds'>,
    passing: Passing = realTime,
  ) {
    this.#rules = { atOnceMax: settings.serverRequestsMax, pauseMs: settings.serverPauseMilliseconds };
    this.#passing = passing;
  }

  async turn<Result>(server: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lineOf(server.toLowerCase());
    await line.enter(signal);
    let isWell = false;
    try {
      const result = await work();
      isWell = true;
      return result;
    } catch (error) {
      // Whom we do not call at all has not failed.
      isWell = error instanceof Problem && error.code === 'invalid-parameters';
      throw error;
    } finally {
      line.leave(isWell);
    }
  }

  /** How many servers are remembered. */
  get size(): number {
    return this.#lines.size;
  }

  #lineOf(server: string): ServerLine {
    const known = this.#lines.get(server);
    if (known) return known;
    if (this.#lines.size >= this.#linesMax) this.#forget();
    const line = new ServerLine(server, this.#rules, this.#passing);
    this.#lines.set(server, line);
    return line;
  }

  #forget(): void {
    for (const [server, line] of this.#lines) {
      if (line.isForgettable()) this.#lines.delete(server);
    }
    this.#linesMax = Math.max(linesUsual, 2 * this.#lines.size);
  }
}

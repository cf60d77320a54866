/** Addresses of hosts that DNS gave in the last few seconds: in a stream of domains the same servers are asked for again and again. */

/** However long its records live. */
const keptMsMax = 5000;
const answersMax = 4000;

interface Answer {
  readonly addresses: readonly string[];
  /** Monotonic. */
  readonly untilMs: number;
}

export interface AnsweredAddress {
  readonly address: string;
  /** Seconds. */
  readonly ttl: number;
}

export class RecentAnswers {
  readonly #answers = new Map<string, Answer>();
  readonly #nowMs: () => number;

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  find(host: string): readonly string[] | undefined {
    const answer = this.#answers.get(host);
    return answer && this.#nowMs() < answer.untilMs ? answer.addresses : undefined;
  }

  /** Returns the addresses. */
  add(host: string, records: readonly AnsweredAddress[]): readonly string[] {
    const addresses = records.map(({ address }) => address);
    const livesMs = Math.min(keptMsMax, ...records.map(({ ttl }) => ttl * 1000));
    if (this.#answers.size >= answersMax) this.#answers.clear();
    this.#answers.set(host, { addresses, untilMs: this.#nowMs() + livesMs });
    return addresses;
  }
}

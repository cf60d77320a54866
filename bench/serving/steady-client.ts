/** One request after another, as a person at a web page makes them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Serving } from './serving-process.ts';

const betweenRequestsMs = 20;

export class SteadyClient {
  readonly #abort = new AbortController();
  readonly #done: Promise<number>;

  constructor(server: Pick<Serving, 'url'>, path: string, headers: Readonly<Record<string, string>>) {
    this.#done = this.#request(server.url + path, headers);
    // `stop` reports it.
    this.#done.catch(() => undefined);
  }

  /** How many were answered. */
  stop(): Promise<number> {
    this.#abort.abort();
    return this.#done;
  }

  async #request(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
    let answered = 0;
    while (!this.#abort.signal.aborted) {
      const answer = await fetch(url, { headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`the server answered with ${answer.status}`);
      answered += 1;
      await pause(betweenRequestsMs);
    }
    return answered;
  }
}

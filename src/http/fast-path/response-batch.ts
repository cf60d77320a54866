/**
 * Ends responses a few at a time. What is written to a client that sleeps wakes it, which takes the system longer than the write itself; a
 * client that is given several answers at once is woken once. No answer waits longer than until all requests that arrived with its own are handled.
 */
import type { ServerResponse } from 'node:http';
import { afterPolling } from '../../concurrency/event-loop-slices.ts';
import type { FastAnswer } from './fast-route.ts';

/** Enough that a client is rarely woken for one answer, and few enough that the first does not wait for long. */
const responsesMax = 8;

interface Pending {
  readonly response: ServerResponse;
  readonly body: FastAnswer['body'];
}

export class ResponseBatch {
  readonly #pending: Pending[] = [];
  #isScheduled = false;

  /** Its headers are written. */
  end(response: ServerResponse, body: FastAnswer['body']): void {
    this.#pending.push({ response, body });
    if (this.#pending.length >= responsesMax) this.#endAll();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      afterPolling(() => {
        this.#isScheduled = false;
        this.#endAll();
      });
    }
  }

  #endAll(): void {
    for (const { response, body } of this.#pending.splice(0)) response.end(body);
  }
}

/**
 * Ends responses a few at a time. What is written to a client that sleeps wakes it, which takes the system longer than the write itself; a
 * client that is given several answers at once is woken once. A batch is a fourth of what arrives together: with more, few clients would have nothing to
 * do while it is made, and the server nothing while they read it. No answer waits longer than until all requests that arrived with its own are handled.
 */
import type { ServerResponse } from 'node:http';
import { afterPolling } from '../../concurrency/event-loop-slices.ts';
import type { FastAnswer } from './fast-route.ts';

/** Enough that a client is rarely woken for one answer, and few enough that the first does not wait for long. */
const batchMax = 8;
const shareOfArrived = 1 / 4;

interface Pending {
  readonly response: ServerResponse;
  readonly body: FastAnswer['body'];
}

export class ResponseBatch {
  readonly #pending: Pending[] = [];
  /** In this iteration of the event loop. */
  #arrived = 0;
  /** As many as fit what arrived in the last iteration that had requests. */
  #size = 1;

  /** Its headers are written. */
  end(response: ServerResponse, body: FastAnswer['body']): void {
    this.#pending.push({ response, body });
    this.#arrived += 1;
    if (this.#arrived === 1) afterPolling(() => this.#endIteration());
    if (this.#pending.length >= this.#size) this.#endAll();
  }

  #endIteration(): void {
    this.#size = Math.min(batchMax, Math.max(1, Math.floor(this.#arrived * shareOfArrived)));
    this.#arrived = 0;
    this.#endAll();
  }

  #endAll(): void {
    for (const { response, body } of this.#pending.splice(0)) response.end(body);
  }
}

/** Writes the log of our own requests, and keeps it below its bound. */
import type { OutgoingRequest } from '../../model/opsec/outgoing-request.ts';
import type { OpsecStore } from '../../store/detect/opsec-store.ts';

interface RequestLogNeeds {
  readonly opsec: Pick<OpsecStore, 'addRequests' | 'trimRequests'>;
  /** Of all domains together. */
  readonly requestsMax: number;
  /** Error callback: that requests could not be logged costs no findings. */
  readonly onFailure: (error: unknown) => void;
}

/** All are counted each time, so it is not done with every write. */
const trimEvery = 1000;

export class RequestLog {
  readonly #needs: RequestLogNeeds;
  /** So that the first write trims: the bound may have been lowered. */
  #sinceTrim = trimEvery;

  constructor(needs: RequestLogNeeds) {
    this.#needs = needs;
  }

  async write(requests: readonly OutgoingRequest[]): Promise<void> {
    const { opsec, requestsMax, onFailure } = this.#needs;
    if (requests.length === 0) return;
    try {
      await opsec.addRequests(requests);
      this.#sinceTrim += requests.length;
      if (this.#sinceTrim < trimEvery) return;
      this.#sinceTrim = 0;
      await opsec.trimRequests(requestsMax);
    } catch (error) {
      onFailure(error);
    }
  }
}

import type { Intake } from '../../store/rrset-store.ts';

/** Group commit: a flush follows the first addition after `seconds`, and callers that need one in the meantime share it. */
export class BatchedFlush {
  readonly #intake: Pick<Intake, 'flush'>;
  readonly #seconds: number;
  readonly #onFailure: (error: unknown) => void;
  #isScheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** `onFailure` is called for failed background flushes; they are retried. */
  constructor(intake: Pick<Intake, 'flush'>, seconds: number, onFailure: (error: unknown) => void) {
    this.#intake = intake;
    this.#seconds = seconds;
    this.#onFailure = onFailure;
  }

  /** Call after an addition. */
  schedule(): void {
    this.#isScheduled = true;
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#onFailure), this.#seconds * 1000);
  }

  /** Resolves when everything added before the call is durable. */
  async flush(): Promise<void> {
    while (this.#running) await this.#running;
    if (!this.#isScheduled) return;
    this.#running = this.#flush();
    await this.#running;
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isScheduled = false;
    try {
      await this.#intake.flush();
    } catch (error) {
      this.schedule();
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  /** Cancels the background flush. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

import type { Intake } from '../../store/rrset-store.ts';

/**
 * Makes observations durable soon after they came, and together: a flush follows the first observation by `seconds`,
 * and whoever asks for one meanwhile shares it with all others who wait.
 */
export class BatchedFlush {
  readonly #intake: Pick<Intake, 'flush'>;
  readonly #seconds: number;
  readonly #onFailure: (error: unknown) => void;
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** `onFailure` hears of flushes that nobody asked for; they are tried again. */
  constructor(intake: Pick<Intake, 'flush'>, seconds: number, onFailure: (error: unknown) => void) {
    this.#intake = intake;
    this.#seconds = seconds;
    this.#onFailure = onFailure;
  }

  /** Something was added. */
  want(): void {
    this.#isWanted = true;
    this.#timer ??= setTimeout(() => void this.now().catch(this.#onFailure), this.#seconds * 1000);
  }

  /** Resolves when all that was added before the call is durable. */
  async now(): Promise<void> {
    while (this.#running) await this.#running;
    if (!this.#isWanted) return;
    this.#running = this.#flush();
    await this.#running;
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWanted = false;
    try {
      await this.#intake.flush();
    } catch (error) {
      this.want();
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  /** No flush follows by itself any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

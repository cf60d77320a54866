/** Compares all databases with their checksums now and then while the server runs, in a process of its own. */
import { hourMs } from '../../../model/durations.ts';
import { DamagedData } from '../../damage.ts';
import { verifyDatabases } from './verify-databases.ts';

export interface ScrubOptions {
  /** 0 makes none. */
  readonly hours: number;
  /** Whether the first one begins now. */
  readonly isDue: boolean;
  /** Called with a line of text for each damage. */
  readonly onDamage: (text: string) => void;
}

export class DatabaseScrub {
  readonly #data: string;
  readonly #options: ScrubOptions;
  readonly #stopped = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;

  constructor(data: string, options: ScrubOptions) {
    this.#data = data;
    this.#options = options;
    const { hours, isDue } = options;
    if (hours > 0) this.#timer = setInterval(() => this.#begin(), hours * hourMs).unref();
    if (isDue) this.#begin();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort();
    await this.#running;
  }

  #begin(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.#scrub().finally(() => {
      this.#isRunning = false;
    });
  }

  async #scrub(): Promise<void> {
    try {
      const { damages } = await verifyDatabases(this.#data, { how: 'pages', signal: this.#stopped.signal });
      // Counted by its constructor.
      for (const damage of damages) this.#options.onDamage(new DamagedData(damage).message);
    } catch (error) {
      this.#options.onDamage(`databases could not be compared with their checksums: ${String(error)}`);
    }
  }
}

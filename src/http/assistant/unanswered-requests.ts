/** Which requests of a stream of messages, one a line, are not answered yet. */
import { settlesWithin } from '../../concurrency/deadline.ts';

/** A longer line is refused by who reads it. */
const lineMax = 16 << 20;

export class UnansweredRequests {
  readonly #ids = new Set<unknown>();
  readonly #decoder = new TextDecoder();
  #line = '';
  #onNone: (() => void) | undefined;

  read(chunk: Uint8Array): void {
    const lines = (this.#line + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, lineMax);
    for (const line of lines) this.#add(line);
  }

  answered(message: unknown): void {
    const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
    if (method === undefined) this.#ids.delete(id);
    if (this.#ids.size === 0) this.#onNone?.();
  }

  /** Returns after the time also if some are left. */
  async untilNone(timeoutMs: number): Promise<void> {
    if (this.#ids.size === 0) return;
    const none = new Promise<void>((resolve) => {
      this.#onNone = resolve;
    });
    await settlesWithin(none, timeoutMs);
  }

  #add(line: string): void {
    try {
      const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method?: unknown };
      if (id !== undefined && typeof method === 'string') this.#ids.add(id);
    } catch {
      // Not a message: the library answers that.
    }
  }
}

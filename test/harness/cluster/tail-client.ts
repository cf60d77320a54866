/** Follows a feed through the balancer as an EventSource does: it connects again at its last position whenever it is cut off. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BalancedClient } from './balanced-client.ts';

export class TailClient {
  /** As they came. */
  readonly lines: string[] = [];
  connections = 0;
  /** What was answered instead of a stream. */
  readonly refusals: number[] = [];
  readonly #client: BalancedClient;
  readonly #path: string;
  readonly #key: string;
  readonly #following: Promise<void>;
  #lastId: string | undefined;
  #isClosed = false;
  #hangUp: () => void = () => undefined;

  constructor(client: BalancedClient, path: string, key: string) {
    this.#client = client;
    this.#path = path;
    this.#key = key;
    this.#following = this.#follow();
  }

  /** Resolves when it has as many lines. */
  async until(count: number, withinMs = 120_000): Promise<void> {
    const untilMs = performance.now() + withinMs;
    while (this.lines.length < count) {
      if (performance.now() > untilMs) throw new Error(`${this.lines.length} of ${count} lines came`);
      await pause(20);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hangUp();
    await this.#following;
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      await this.#connect().catch(() => undefined);
      if (!this.#isClosed) await pause(100);
    }
  }

  async #connect(): Promise<void> {
    const position = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId };
    const answer = await this.#client.open(this.#path, { headers: { 'x-api-key': this.#key, ...position } });
    this.#hangUp = () => void answer.destroy();
    if (answer.statusCode !== 200) {
      this.refusals.push(answer.statusCode ?? 0);
      answer.resume();
      return;
    }
    this.connections += 1;
    let rest = '';
    for await (const piece of answer.setEncoding('utf8')) {
      const events = (rest + String(piece)).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) this.#receive(event);
    }
  }

  #receive(event: string): void {
    const [, id, data] = /^id: (.*)\ndata: (.*)$/m.exec(event) ?? [];
    if (id === undefined || data === undefined) return;
    this.#lastId = id;
    this.lines.push(data);
  }
}

/**
 * Connections that were just used, at hand for the next caller: to give one back to the driver's pool and get it again costs timers and events,
 * a good part of a short statement. Those that nobody uses for a second go back to the pool.
 */
import type { ClientBase, PoolClient } from 'pg';
import { secondMs } from '../../../model/durations.ts';

const keptMs = secondMs;

export class KeptClients {
  readonly #clients: PoolClient[] = [];
  readonly #dead = new WeakSet<ClientBase>();
  /** So many at the bottom were not used since the last check. */
  #unused = 0;
  #timer: NodeJS.Timeout | undefined;

  /** A connection that fails while nobody uses it is not given to anybody. */
  watch(client: ClientBase): void {
    const note = () => void this.#dead.add(client);
    client.on('error', note);
    client.on('end', note);
  }

  /** The one that was used last. */
  next(): PoolClient | undefined {
    for (let client = this.#clients.pop(); client; client = this.#clients.pop()) {
      this.#unused = Math.min(this.#unused, this.#clients.length);
      if (!this.#dead.has(client)) return client;
      client.release(true);
    }
    return undefined;
  }

  keep(client: PoolClient): void {
    this.#clients.push(client);
    this.#timer ??= setInterval(() => this.#check(), keptMs).unref();
  }

  releaseAll(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#release(this.#clients.length);
  }

  #check(): void {
    this.#release(this.#unused);
    this.#unused = this.#clients.length;
    if (this.#clients.length === 0) this.releaseAll();
  }

  #release(count: number): void {
    for (const client of this.#clients.splice(0, count)) client.release(this.#dead.has(client));
    this.#unused = 0;
  }
}

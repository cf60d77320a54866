/** Notifications of PostgreSQL, over one connection that is made when somebody listens, and made again when it is lost. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { ChangeSignals } from '../../growth/change-signals.ts';
import type { ConnectionPool } from './connection-pool.ts';

type OnNotification = (payload: string) => void;

const reconnectMs = 500;

export class Listener {
  readonly #pool: Pick<ConnectionPool, 'connect'>;
  readonly #listeners = new Map<string, Set<OnNotification>>();
  /** Channels whose notifications arrive. */
  readonly #subscribed = new Set<string>();
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #isClosed = false;

  constructor(pool: Pick<ConnectionPool, 'connect'>) {
    this.#pool = pool;
  }

  /** Notifications of a channel. Their payload is the name of what has grown. */
  signals(channel: string): ChangeSignals {
    return {
      listen: (listener) => this.#add(channel, listener),
      isConnected: () => this.#subscribed.has(channel),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connecting;
    await this.#client?.end().catch(() => undefined);
  }

  #add(channel: string, listener: OnNotification): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    if (!this.#client) this.#connect();
    else if (!this.#subscribed.has(channel)) void this.#subscribe(this.#client, channel);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      this.#subscribed.delete(channel);
      this.#client?.query(`unlisten "${channel}"`).catch(() => undefined);
    };
  }

  #connect(): void {
    this.#connecting ??= this.#connectRepeatedly().finally(() => {
      this.#connecting = undefined;
    });
  }

  async #connectRepeatedly(): Promise<void> {
    while (!this.#isClosed && !this.#client && this.#listeners.size > 0) {
      try {
        const client = await this.#pool.connect();
        client.on('notification', ({ channel, payload = '' }) => this.#notify(channel, payload));
        client.on('end', () => this.#lose(client));
        this.#client = client;
        for (const channel of this.#listeners.keys()) void this.#subscribe(client, channel);
      } catch {
        await pause(reconnectMs, undefined, { ref: false });
      }
    }
  }

  /** What was notified before is unknown. */
  async #subscribe(client: Client, channel: string): Promise<void> {
    try {
      await client.query(`listen "${channel}"`);
    } catch {
      // The connection is lost, and will be made again.
      return;
    }
    if (this.#client !== client || !this.#listeners.has(channel)) return;
    this.#subscribed.add(channel);
    this.#notify(channel, '');
  }

  /** Listeners are called, so that they go on by asking. */
  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#subscribed.clear();
    if (this.#isClosed) return;
    for (const channel of this.#listeners.keys()) this.#notify(channel, '');
    this.#connect();
  }

  #notify(channel: string, payload: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
  }
}

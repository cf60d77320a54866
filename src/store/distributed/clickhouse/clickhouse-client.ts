/**
 * Requests to ClickHouse over HTTP, repeated on the replicas of a shard while one is away. A read that is no longer wanted is also ended on the
 * server. The operator names the addresses, so they are called directly, not through the guarded dialer.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../../concurrency/backoff.ts';
import { secondMs } from '../../../model/durations.ts';
import { tryAgain } from '../postgres/postgres-errors.ts';
import { type Capabilities, capabilitiesOf, requireSupported } from './capabilities.ts';
import { ClickHouseError, errorCodes, errorIn, isAwayCode } from './clickhouse-errors.ts';

export interface ClickHouseOptions {
  /** The replicas of one shard. */
  readonly urls: readonly string[];
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Whether versions are accepted that nobody maintains. */
  readonly allowOld: boolean;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** How long a caller waits for a server that is away. */
const patienceMs = 5 * secondMs;
/** A query without an answer for so long is ended. */
const answerMs = 60 * secondMs;
const backoff = { firstMs: 50, factor: 2, maxMs: 500 };

/** The connection failed or was refused: whether the server did what it was asked is unknown. */
class NoAnswer extends Error {}

interface Statement {
  readonly statement: string;
  /** What an `insert` inserts. */
  readonly block?: Uint8Array;
  readonly queryId?: string;
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly signal?: AbortSignal | undefined;
}

export class ClickHouseClient {
  readonly database: string;
  readonly #options: ClickHouseOptions;
  #capabilities: Promise<Capabilities> | undefined;
  /** The replica that answered last. */
  #replica = 0;
  /** Since when no attempt has been answered. */
  #awaySinceMs: number | undefined;

  constructor(options: ClickHouseOptions) {
    this.#options = options;
    this.database = options.database;
  }

  /** Asked once. */
  capabilities(): Promise<Capabilities> {
    if (!this.#capabilities) {
      this.#capabilities = this.#findCapabilities();
      this.#capabilities.catch(() => {
        this.#capabilities = undefined;
      });
    }
    return this.#capabilities;
  }

  async #findCapabilities(): Promise<Capabilities> {
    const found = capabilitiesOf((await this.read('select version()')).toString().trim());
    requireSupported(found, this.#options.allowOld);
    return found;
  }

  get replicas(): number {
    return this.#options.urls.length;
  }

  /** The bytes of the answer. The statement may be sent again, to another replica. */
  async read(statement: string, { signal, settings = {} }: ReadOptions = {}): Promise<Buffer> {
    const beganMs = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        return await this.#cancellable({ statement, settings, signal, queryId: randomUUID() });
      } catch (error) {
        // Somebody ended it on the server, who would not want to see it again at once.
        if (!signal?.aborted && isCode(error, errorCodes.queryWasCancelled))
          throw tryAgain('ClickHouse', error);
        if (signal?.aborted || !isAway(error)) throw error;
        const nowMs = performance.now();
        this.#awaySinceMs ??= nowMs;
        const sinceMs = Math.min(beganMs, this.#awaySinceMs);
        // Who asks while it has been away for long is not kept waiting, but one slow attempt is not the last.
        if (nowMs - sinceMs > patienceMs && (attempt > 1 || sinceMs < beganMs))
          throw tryAgain('ClickHouse', error);
        this.#replica = (this.#replica + 1) % this.replicas;
        await pause(backoffMs(attempt, backoff));
      }
    }
  }

  /** Throws where no replica answers now. */
  async ask(): Promise<void> {
    const statement = 'select 1';
    await Promise.any(this.#options.urls.map((_, replica) => this.#send({ statement }, replica)));
  }

  /** Sends it once. After `NoAnswer` it may have been done or not, or be done yet. */
  async insert(
    sent: Required<Pick<Statement, 'statement' | 'block' | 'queryId' | 'settings'>>,
    timeoutMs: number,
  ) {
    await this.#send({ ...sent, signal: AbortSignal.timeout(timeoutMs) });
  }

  /**
   * Ends a query and waits until it has ended: what is being written is finished first. Of several replicas, those that do not answer are left out:
   * replicated tables know a block that is inserted again.
   */
  async endQuery(queryId: string): Promise<void> {
    const { urls } = this.#options;
    const ends = await Promise.allSettled(urls.map((_, replica) => this.#endOn(replica, queryId)));
    const failed = ends.find((end) => end.status === 'rejected');
    if (!failed || ends.some((end) => end.status === 'fulfilled')) return;
    throw isAway(failed.reason) ? tryAgain('ClickHouse', failed.reason) : failed.reason;
  }

  async #endOn(replica: number, queryId: string): Promise<void> {
    const untilMs = performance.now() + patienceMs;
    for (;;) {
      try {
        await this.#send({ statement: `kill query where query_id = '${queryId}' sync` }, replica);
        return;
      } catch (error) {
        if (!isCode(error, errorCodes.cannotKill)) throw error;
        if (performance.now() > untilMs) throw tryAgain('ClickHouse', error);
        await pause(backoff.maxMs);
      }
    }
  }

  /** A statement for each replica, such as one that makes a table. */
  async runOnAll(statement: string, settings: Readonly<Record<string, string | number>> = {}): Promise<void> {
    for (const [replica] of this.#options.urls.entries()) await this.#send({ statement, settings }, replica);
  }

  async #cancellable(sent: Statement & { readonly queryId: string }): Promise<Buffer> {
    const replica = this.#replica;
    // Old versions finish what they began, though nobody waits for the answer.
    const end = () => {
      const statement = `kill query where query_id = '${sent.queryId}' async`;
      void this.#send({ statement }, replica).catch(() => undefined);
    };
    sent.signal?.addEventListener('abort', end, { once: true });
    try {
      return await this.#send(sent, replica);
    } finally {
      sent.signal?.removeEventListener('abort', end);
    }
  }

  async #send(
    { statement, block, queryId, settings = {}, signal }: Statement,
    replica = this.#replica,
  ): Promise<Buffer> {
    const { user, password, database } = this.#options;
    const url = new URL(this.#options.urls[replica] ?? '');
    for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, String(value));
    url.searchParams.set('database', database);
    if (queryId !== undefined) url.searchParams.set('query_id', queryId);
    // An error that comes after the first rows has a status of its own.
    url.searchParams.set('wait_end_of_query', '1');
    if (block) url.searchParams.set('query', statement);
    const { status, body } = await exchange(url, {
      method: 'POST',
      headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': password },
      body: block ? Buffer.from(block.buffer, block.byteOffset, block.byteLength) : statement,
      signal: signal ?? AbortSignal.timeout(answerMs),
    });
    if (status !== 200) throw errorIn(body);
    this.#awaySinceMs = undefined;
    return body;
  }
}

/** Whether it may be answered later. */
export function isAway(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof ClickHouseError && isAwayCode(error.code));
}

function isCode(error: unknown, code: number): boolean {
  return error instanceof ClickHouseError && error.code === code;
}

async function exchange(url: URL, request: RequestInit): Promise<{ status: number; body: Buffer }> {
  try {
    const answer = await fetch(url, { ...request, redirect: 'manual' });
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
  } catch (cause) {
    throw new NoAnswer('ClickHouse did not answer', { cause });
  }
}

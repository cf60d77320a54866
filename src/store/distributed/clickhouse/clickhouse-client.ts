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
import { quorum, quorumSettings, sequential } from './quorum.ts';
import { ReplicaStates } from './replica-states.ts';

export interface ClickHouseOptions {
  /** The replicas of one shard. */
  readonly urls: readonly string[];
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Whether versions are accepted that nobody maintains. */
  readonly allowOld: boolean;
  /** Whether the tables of the shard are replicated: what is written is acknowledged when two replicas have it. */
  readonly isReplicated?: boolean;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Whether only what enough replicas have is read. */
  readonly isDecided?: boolean;
}

/** How long a caller waits for a server that is away. */
const patienceMs = 5 * secondMs;
/** A query without an answer for so long is ended. */
const answerMs = 60 * secondMs;
/** Less than those wait who ask whether it is there. */
const askMs = 1.5 * secondMs;
const backoff = { firstMs: 50, factor: 2, maxMs: 500 };
/** Inserts of one table wait for their quorum one after another: how long one waits for others, and between two attempts at most. */
const busyMs = 2 * secondMs;
const betweenBusyMs = 50;

/** The connection failed or was refused: whether the server did what it was asked is unknown. */
class NoAnswer extends Error {}

interface Statement {
  readonly statement: string;
  /** Instead of ours, where that may be missing. */
  readonly database?: string;
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
  readonly #states: ReplicaStates | undefined;
  /** The replica that answered last. */
  #replica = 0;
  /** Since when no attempt has been answered. */
  #awaySinceMs: number | undefined;

  constructor(options: ClickHouseOptions) {
    this.#options = options;
    this.database = options.database;
    if (options.isReplicated)
      this.#states = new ReplicaStates(options.database, (statement, replica) =>
        this.#send({ statement, database: 'default' }, replica),
      );
  }

  get isReplicated(): boolean {
    return this.#states !== undefined;
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
  async read(
    statement: string,
    { signal, settings = {}, isDecided = this.replicas > 2 }: ReadOptions = {},
  ): Promise<Buffer> {
    const beganMs = performance.now();
    const all = { ...settings, ...(this.isReplicated && isDecided && sequential) };
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      const replica = this.#replica;
      try {
        await this.#requireComplete(replica);
        return await this.#cancellable({ statement, settings: all, signal, queryId: randomUUID() }, replica);
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
        // Others that failed at the same time have moved on already.
        if (this.#replica === replica) this.#replica = (replica + 1) % this.replicas;
        await pause(backoffMs(attempt, backoff));
      }
    }
  }

  async #requireComplete(replica: number): Promise<void> {
    if (!this.#states || (await this.#states.isComplete(replica))) return;
    throw new NoAnswer('this replica of ClickHouse lacks rows that others have; it fetches them');
  }

  /** A statement that changes something, and may be sent again, to another replica. */
  async write(statement: string, settings: ReadOptions['settings'] = {}): Promise<void> {
    const waiting = this.isReplicated ? quorumSettings(await this.capabilities(), patienceMs) : {};
    await this.read(statement, { settings: { ...settings, ...waiting }, isDecided: false });
  }

  /** Throws where no replica answers now. What it returns is wrong though some do. */
  async ask(): Promise<string | undefined> {
    const statement = 'select 1';
    const signal = AbortSignal.timeout(askMs);
    const asked = this.#options.urls.map((_, replica) => this.#send({ statement, signal }, replica));
    await Promise.any(asked);
    if (!this.isReplicated) return undefined;
    const answers = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    if (answers.length >= Math.min(quorum, this.replicas)) return undefined;
    return 'a replica of ClickHouse does not answer: passive DNS is answered, and what is observed waits until it is back';
  }

  /** Sends it once. After `NoAnswer` it may have been done or not, or be done yet. */
  async insert(
    sent: Required<Pick<Statement, 'statement' | 'block' | 'queryId'>>,
    timeoutMs: number,
  ): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    // It ends on the server before we stop waiting for it, so that its outcome can be found out.
    const settings = this.isReplicated ? quorumSettings(await this.capabilities(), timeoutMs / 2) : {};
    const busyUntilMs = performance.now() + Math.min(busyMs, timeoutMs / 4);
    for (;;) {
      try {
        await this.#send({ ...sent, settings, signal });
        return;
      } catch (error) {
        // Then nothing was inserted.
        if (!isCode(error, errorCodes.quorumIsBusy) || performance.now() > busyUntilMs) throw error;
        await pause(Math.random() * betweenBusyMs);
      }
    }
  }

  /**
   * Ends a query and waits until it has ended: what is being written is finished first. Of several replicas, those that do not answer are left out:
   * replicated tables know a block that is inserted again.
   */
  async endQuery(queryId: string): Promise<void> {
    const { urls } = this.#options;
    const ends = await Promise.allSettled(urls.map((_, replica) => this.#endOn(replica, queryId)));
    const failures = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason as unknown);
    const refusal = failures.find((reason) => !(reason instanceof NoAnswer));
    if (refusal === undefined && failures.length < urls.length) return;
    const reason = refusal ?? failures[0];
    throw isAway(reason) ? tryAgain('ClickHouse', reason) : reason;
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
  async runOnAll(statement: string): Promise<void> {
    try {
      for (const [replica] of this.#options.urls.entries()) await this.#send({ statement }, replica);
    } catch (error) {
      throw isAway(error) ? tryAgain('ClickHouse', error) : error;
    }
  }

  async #cancellable(sent: Statement & { readonly queryId: string }, replica: number): Promise<Buffer> {
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
    { statement, block, queryId, settings = {}, signal, database = this.database }: Statement,
    replica = this.#replica,
  ): Promise<Buffer> {
    const { user, password } = this.#options;
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

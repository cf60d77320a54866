/** Connections to the primary of PostgreSQL, wherever it is: of several hosts, the first that is no replica. */
import { Client, type ClientConfig, Pool, type PoolClient, types } from 'pg';
import { hourMs, secondMs } from '../../../model/durations.ts';
import { AnswerWatch } from './answer-watch.ts';
import { ClientConnection, type Connection, PreparedNames } from './connection.ts';
import { hostUrls } from './host-urls.ts';
import { KeptClients } from './kept-clients.ts';
import { isAway } from './postgres-errors.ts';

export interface ConnectionOptions {
  /** As libpq reads it; several hosts for a primary and its replicas. */
  readonly url: string;
  /** Where all tables are. */
  readonly schema: string;
  readonly poolMax: number;
  /** False: a commit is acknowledged before it is on disk, and the last half second of them is lost when the server dies. */
  readonly durable?: boolean;
}

/** To connect, or to get a connection that another caller uses. */
const connectMs = 10 * secondMs;
/** A connection without an answer for so long is lost, as by a partition of the network. */
const answerMs = 60 * secondMs;
const longAnswerMs = hourMs;
const idleMs = 60 * secondMs;

export interface UseOptions {
  /** Statements may take minutes. */
  readonly mayTakeLong?: boolean;
}

export class ConnectionPool {
  readonly #options: ConnectionOptions;
  readonly #urls: readonly string[];
  readonly #names = new PreparedNames();
  readonly #watch = new AnswerWatch();
  readonly #kept = new KeptClients();
  #current = 0;
  #pool: Pool;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#urls = hostUrls(options.url);
    this.#pool = this.#open();
  }

  async use<Result>(
    { mayTakeLong = false }: UseOptions,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const pool = this.#pool;
    try {
      const client = this.#kept.next() ?? (await pool.connect());
      const waitMs = mayTakeLong ? longAnswerMs : answerMs;
      const connection = new ClientConnection(client, { names: this.#names, watch: this.#watch, waitMs });
      try {
        return await work(connection);
      } finally {
        this.#giveBack(pool, client, connection.lost);
      }
    } catch (error) {
      if (isAway(error)) this.#tryNext(pool);
      throw error;
    }
  }

  /** For a connection that is kept: the caller ends it. */
  async connect(): Promise<Client> {
    const client = new Client(this.#configuration());
    client.on('error', () => undefined);
    try {
      await client.connect();
      await requirePrimary(client);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (isAway(error)) this.#tryNext(this.#pool);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#kept.releaseAll();
    await this.#pool.end();
  }

  /** `pool` may be one that is no longer in use. */
  #giveBack(pool: Pool, client: PoolClient, lost: Error | undefined): void {
    if (lost || pool !== this.#pool || pool.ending || pool.waitingCount > 0) client.release(lost);
    else this.#kept.keep(client);
  }

  #tryNext(failed: Pool): void {
    if (failed !== this.#pool || this.#urls.length === 1) return;
    this.#kept.releaseAll();
    this.#current = (this.#current + 1) % this.#urls.length;
    this.#pool = this.#open();
    failed.end().catch(() => undefined);
  }

  #open(): Pool {
    const pool = new Pool({
      ...this.#configuration(),
      max: this.#options.poolMax,
      idleTimeoutMillis: idleMs,
      verify: (client: Client, onVerified: (error?: Error) => void) => {
        requirePrimary(client).then(() => onVerified(), onVerified);
      },
    });
    // Who uses the connection gets the error as well, with its statement.
    pool.on('connect', (client) => this.#kept.watch(client));
    pool.on('error', () => undefined);
    return pool;
  }

  #configuration(): ClientConfig {
    const { schema, durable = true } = this.#options;
    const settings = [
      `search_path=${schema},public`,
      `statement_timeout=${answerMs}`,
      `idle_in_transaction_session_timeout=${answerMs}`,
      ...(durable ? [] : ['synchronous_commit=off']),
    ];
    return {
      connectionString: this.#urls[this.#current],
      application_name: 'nameglass',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: connectMs,
      options: settings.map((setting) => `-c ${setting}`).join(' '),
      types: { getTypeParser: typeParser },
    };
  }
}

const bigint = 20;
const bigints = 1016;
const integers = 1007;

/** Integers of 8 bytes are numbers: none of ours is beyond 2^53. */
const typeParser = ((oid: number, format: 'text') => {
  if (oid === bigint) return Number;
  return types.getTypeParser(oid === bigints ? integers : oid, format);
}) as typeof types.getTypeParser;

/** A replica answers reads too, with what it has: another host is asked instead. */
async function requirePrimary(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_replica: boolean }>('select pg_is_in_recovery() as is_replica');
  if (rows[0]?.is_replica) throw Object.assign(new Error('this host is a replica'), { code: '25006' });
}

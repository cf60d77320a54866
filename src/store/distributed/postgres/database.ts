/**
 * The connections to PostgreSQL, and the ways to use them. All of them wait a few seconds for a server that is away, as during a failover, and then
 * fail with `try-again`.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { secondMs } from '../../../model/durations.ts';
import type { ChangeSignals } from '../../growth/change-signals.ts';
import type { Connection } from './connection.ts';
import { type ConnectionOptions, ConnectionPool, type UseOptions } from './connection-pool.ts';
import { Listener } from './listener.ts';
import { isAway, isConflict, isDuplicate, tryAgain } from './postgres-errors.ts';
import { type Sql, sqlOver, type Transaction } from './sql.ts';

export type { Fragment, Sql, Transaction } from './sql.ts';
export type DatabaseOptions = ConnectionOptions;

/** How long a caller waits for a server that is away. */
const patienceMs = 5 * secondMs;
const attemptsMax = 50;

export class PostgresDatabase {
  readonly schema: string;
  readonly #pool: ConnectionPool;
  readonly #listener: Listener;
  /** Since when no attempt has reached the server. */
  #awaySinceMs: number | undefined;
  #isClosed = false;

  constructor(options: DatabaseOptions) {
    this.schema = options.schema;
    this.#pool = new ConnectionPool(options);
    this.#listener = new Listener(this.#pool);
  }

  /** Reads, in statements of their own. The work may be done again. */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#repeating(() =>
      work(sqlOver((statement) => this.#pool.use({}, (connection) => connection.send(statement)))),
    );
  }

  /** Reads, all of one moment. */
  snapshot<Result>(work: (sql: Transaction) => Promise<Result>): Promise<Result> {
    return this.#repeating(() => this.#transaction('begin isolation level repeatable read read only', work));
  }

  /** The same for work that takes minutes. */
  longSnapshot<Result>(work: (sql: Transaction) => Promise<Result>): Promise<Result> {
    const begin =
      'begin isolation level repeatable read read only; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';
    return this.#repeating(() => this.#transaction(begin, work, { mayTakeLong: true }));
  }

  /**
   * A transaction, done once: where the connection is lost while it is committed, it is found out whether it was. The work may be called
   * again, and then must do the same.
   */
  async write<Result>(work: (sql: Transaction) => Promise<Result>): Promise<Result> {
    // Waits for an earlier attempt that is still being committed, and fails if it was.
    const begin = `begin; insert into write_id (id) values ('${randomUUID()}')`;
    let finished: { readonly result: Result } | undefined;
    return this.#repeating(async () => {
      try {
        return await this.#transaction(begin, async (sql) => {
          const result = await work(sql);
          finished = { result };
          return result;
        });
      } catch (error) {
        if (finished && isDuplicate(error, 'write_id_pkey')) return finished.result;
        throw error;
      }
    });
  }

  /** A transaction that has the same effect when it is done twice. Cheaper than `write`. */
  writeRepeatable<Result>(work: (sql: Transaction) => Promise<Result>): Promise<Result> {
    return this.#repeating(() => this.#transaction('begin', work));
  }

  /** What `pg_notify` sends to a topic, when it is committed. */
  signals(topic: string): ChangeSignals {
    return this.#listener.signals(this.channelOf(topic));
  }

  /** For `pg_notify`. */
  channelOf(topic: string): string {
    return `${this.schema}_${topic}`;
  }

  /** Deletes what is known of writes whose outcome nobody asks for any more. */
  async pruneWriteIds(): Promise<void> {
    await this.read((sql) => sql`delete from write_id where at < now() - interval '1 day'`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#listener.close();
    await this.#pool.close();
  }

  #transaction<Result>(
    begin: string,
    work: (sql: Transaction) => Promise<Result>,
    use: UseOptions = {},
  ): Promise<Result> {
    return this.#pool.use(use, async (connection) => {
      let result: Result;
      try {
        await connection.send({ text: begin, values: [] });
        result = await work(sqlOver((statement) => connection.send(statement)));
      } catch (error) {
        await rollBack(connection);
        throw error;
      }
      await connection.commit();
      return result;
    });
  }

  async #repeating<Result>(work: () => Promise<Result>): Promise<Result> {
    const beganMs = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await work();
        this.#awaySinceMs = undefined;
        return result;
      } catch (error) {
        if (this.#isClosed || attempt === attemptsMax) throw error;
        if (isConflict(error)) continue;
        if (!isAway(error)) throw error;
        const nowMs = performance.now();
        this.#awaySinceMs ??= nowMs;
        // Who asks while it has been away for long is not kept waiting.
        if (nowMs - Math.min(beganMs, this.#awaySinceMs) > patienceMs) throw tryAgain('the database', error);
        await pause(Math.min(20 * attempt, 250));
      }
    }
  }
}

/** A connection on which that fails is not used again. */
async function rollBack(connection: Connection): Promise<void> {
  await connection.send({ text: 'rollback', values: [] }).catch(() => undefined);
}

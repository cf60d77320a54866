/** Statements over one connection, one at a time. */
import { createHash } from 'node:crypto';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import type { AnswerWatch } from './answer-watch.ts';
import { isAway } from './postgres-errors.ts';
import type { Answer, Statement } from './sql.ts';

/** Statements of more kinds than these are not kept ready by the server. */
const preparedMax = 1000;

export interface Connection {
  send(statement: Statement): Promise<Answer<unknown[]>>;
  /** Fails if the transaction was ended by an error that nobody has thrown. */
  commit(): Promise<void>;
}

/** Names of statements, each prepared once for each connection: the server need not parse it again. */
export class PreparedNames {
  readonly #names = new Map<string, string>();

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= preparedMax) return known;
    const name = createHash('sha1').update(text).digest('base64url');
    this.#names.set(text, name);
    return name;
  }
}

interface ConnectionNeeds {
  readonly names: PreparedNames;
  readonly watch: AnswerWatch;
  /** A connection without an answer for so long is lost. */
  readonly waitMs: number;
}

export class ClientConnection implements Connection {
  readonly #client: PoolClient;
  readonly #needs: ConnectionNeeds;
  /** Statements that wait for the one before them: the driver wants one at a time. */
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;
  #lost: Error | undefined;

  constructor(client: PoolClient, needs: ConnectionNeeds) {
    this.#client = client;
    this.#needs = needs;
  }

  /** Why it must not be used again. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  async send({ text, values }: Statement): Promise<Answer<unknown[]>> {
    const answered = await this.#query(values.length === 0 ? text : this.#prepared(text, values));
    // Not enumerable: the rows may be handed on as a list like any other.
    return Object.defineProperty(answered.rows, 'count', { value: answered.rowCount ?? 0 }) as Answer<
      unknown[]
    >;
  }

  async commit(): Promise<void> {
    const { command } = await this.#query('commit').catch((error: Error) => {
      this.#lost ??= error;
      throw error;
    });
    if (command !== 'COMMIT') throw new Error('the transaction was undone because a statement had failed');
  }

  #prepared(text: string, values: readonly unknown[]): QueryConfig {
    const name = this.#needs.names.nameOf(text);
    return { text, values: [...values], ...(name === undefined ? {} : { name }) };
  }

  #query(given: string | QueryConfig): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const begin = () => this.#begin(given, resolve, reject);
      if (this.#isBusy) this.#waiting.push(begin);
      else begin();
    });
  }

  #begin(
    given: string | QueryConfig,
    resolve: (result: QueryResult) => void,
    reject: (error: Error) => void,
  ): void {
    this.#isBusy = true;
    let isOver = false;
    const end = (error: Error | null, result?: QueryResult | readonly QueryResult[]) => {
      // An answer may still come when nobody waits for it any more.
      if (isOver) return;
      isOver = true;
      forget();
      if (error && isAway(error)) this.#lost ??= error;
      if (error) reject(error);
      else resolve((Array.isArray(result) ? result.at(-1) : result) as QueryResult);
      this.#isBusy = false;
      this.#waiting.shift()?.();
    };
    const forget = this.#needs.watch.add(this.#needs.waitMs, () => {
      end(Object.assign(new Error('PostgreSQL does not answer'), { code: 'ETIMEDOUT' }));
    });
    this.#client.query(given as QueryConfig, end);
  }
}

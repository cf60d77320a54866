/** Empty tables and an object store that are filled, one table after another. What is done is noted with it. */

import type { Clock } from '../model/clock.ts';
import type { CopiedRow } from '../store/copy/copied-rows.ts';
import { ImageWriter } from '../store/distributed/copy/copied-images.ts';
import { beginStream } from '../store/distributed/copy/copied-streams.ts';
import { beginCopy, completeCopy, findCopy, notePart } from '../store/distributed/copy/copy-state.ts';
import { putRows, raiseNumber, setLastNumber } from '../store/distributed/copy/write-tables.ts';
import type { Transaction } from '../store/distributed/postgres/database.ts';
import type { CopiedDatabase } from '../store/embedded/copy/copied-databases.ts';
import type { DistributedSide } from './distributed-side.ts';
import type { ReaderSide } from './reader-side.ts';
import type { TablePlan } from './table-plan.ts';
import { imageTable } from './tables/other.ts';
import { counted, type OnProgress, type TargetSide } from './target-side.ts';

export class DistributedTarget implements TargetSide {
  readonly #side: DistributedSide;
  readonly #clock: Clock;
  readonly #done: ReadonlySet<string>;

  private constructor(side: DistributedSide, clock: Clock, done: ReadonlySet<string>) {
    this.#side = side;
    this.#clock = clock;
    this.#done = done;
  }

  static async begin(side: DistributedSide, clock: Clock, source: string): Promise<DistributedTarget> {
    await beginCopy(side.database, source);
    const copy = await findCopy(side.database);
    return new DistributedTarget(side, clock, copy?.parts ?? new Set());
  }

  async putTables(
    _: CopiedDatabase,
    plans: readonly TablePlan[],
    source: ReaderSide,
    onProgress: OnProgress,
  ): Promise<number> {
    let rows = 0;
    for (const plan of plans) {
      if (this.#done.has(plan.name)) continue;
      rows += await (plan.table === imageTable
        ? this.#putImages(plan, source, onProgress)
        : this.#putTable(plan, source, onProgress));
    }
    return rows;
  }

  open() {
    return this.#side;
  }

  beginStream(...[stream, start]: Parameters<TargetSide['beginStream']>): Promise<void> {
    return beginStream(this.#side.database, stream, start);
  }

  /** Lines of closed minutes move to S3, so that PostgreSQL does not grow by all of them. */
  async settleStreams(): Promise<void> {
    await this.#side.streams.sealSegments(this.#clock.now());
  }

  complete(): Promise<void> {
    return completeCopy(this.#side.database);
  }

  /** The side belongs to the caller. */
  async close(): Promise<void> {}

  async #putTable(plan: TablePlan, source: ReaderSide, onProgress: OnProgress): Promise<number> {
    const { table, distributed, name } = plan;
    const part = `${table.database}: ${table.distributed}`;
    const last = await source.lastNumber(plan);
    const scan = async function* () {
      const pages = counted(source.scan(plan, true), (done) => onProgress({ part, done, unit: 'rows' }));
      for await (const page of pages) yield page.map(distributed.rowOf);
    };
    const finish = async (sql: Transaction) => {
      if (last !== undefined && table.lastNumber) await raiseNumber(sql, table.lastNumber, last);
      else if (last !== undefined && distributed.identity)
        await setLastNumber(sql, { table: table.distributed, column: distributed.identity }, last);
      await notePart(sql, name);
    };
    return putRows(this.#side.database, { target: distributed.target, scan, finish });
  }

  async #putImages(plan: TablePlan, source: ReaderSide, onProgress: OnProgress): Promise<number> {
    const { database, objects } = this.#side;
    const writer = new ImageWriter(database, objects);
    const hashAt = plan.pairs.findIndex(({ embedded }) => embedded === 'hash');
    const imageOf = (row: CopiedRow) => ({
      hash: String(row[hashAt]),
      row: plan.distributed.rowOf(row),
    });
    let rows = 0;
    for await (const page of source.scan(plan, true)) {
      await writer.put(plan.distributed.target.columns, page.map(imageOf), (hash) => source.readImage(hash));
      rows += page.length;
      onProgress({ part: 'images', done: rows, unit: 'images' });
    }
    await database.read((sql) => notePart(sql, plan.name));
    return rows;
  }
}

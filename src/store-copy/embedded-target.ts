/** A new data directory that is filled, one database after another. One that is not complete is begun anew by the next attempt. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CopiedDatabase, openForCopy, removeDatabase } from '../store/embedded/copy/copied-databases.ts';
import { beginStream } from '../store/embedded/copy/copied-streams.ts';
import { type CopyState, writeCopy } from '../store/embedded/copy/copy-state.ts';
import { putRows, setLastNumber } from '../store/embedded/copy/write-tables.ts';
import type { Database } from '../store/embedded/database.ts';
import { ImageFiles } from '../store/embedded/image/image-files.ts';
import { type EmbeddedOptions, openEmbeddedParts } from './embedded-side.ts';
import type { ReaderSide } from './reader-side.ts';
import type { TablePlan } from './table-plan.ts';
import { imageTable } from './tables/other.ts';
import { counted, type OnProgress, type TargetSide } from './target-side.ts';

const filesAtOnce = 8;

export class EmbeddedTarget implements TargetSide {
  readonly #options: EmbeddedOptions;
  #state: CopyState;
  #stores: ReturnType<typeof openEmbeddedParts> | undefined;
  #streams: Database | undefined;

  constructor(options: EmbeddedOptions, state: CopyState) {
    this.#options = options;
    this.#state = state;
    mkdirSync(options.data, { recursive: true, mode: 0o700 });
    writeCopy(options.data, state);
  }

  async putTables(
    name: CopiedDatabase,
    plans: readonly TablePlan[],
    source: ReaderSide,
    onProgress: OnProgress,
  ): Promise<number> {
    if (this.#state.parts.includes(name)) return 0;
    const { data } = this.#options;
    removeDatabase(data, name);
    const images = plans.find(({ table }) => table === imageTable);
    if (images) await this.#putImages(images, source, onProgress);
    const database = openForCopy(data, name);
    let rows = 0;
    try {
      for (const plan of plans) rows += await putTable(database, plan, source, onProgress);
    } finally {
      database.close();
    }
    this.#note({ ...this.#state, parts: [...this.#state.parts, name] });
    return rows;
  }

  open() {
    this.#stores ??= openEmbeddedParts(this.#options);
    return this.#stores;
  }

  async beginStream(...[stream, start]: Parameters<TargetSide['beginStream']>): Promise<void> {
    this.#streams ??= openForCopy(this.#options.data, 'streams');
    await beginStream(this.#streams, stream, start);
  }

  /** Lines are in their files. */
  async settleStreams(): Promise<void> {}

  async complete(): Promise<void> {
    await this.close();
    this.#note({ ...this.#state, isComplete: true });
  }

  async close(): Promise<void> {
    await this.#stores?.close();
    this.#streams?.close();
    this.#stores = undefined;
    this.#streams = undefined;
  }

  #note(state: CopyState): void {
    this.#state = state;
    writeCopy(this.#options.data, state);
  }

  /** Files before rows, as the store does it. Those that are there already are not written again. */
  async #putImages(plan: TablePlan, source: ReaderSide, onProgress: OnProgress): Promise<void> {
    const files = new ImageFiles(join(this.#options.data, 'images'));
    const hashAt = plan.pairs.findIndex(({ embedded }) => embedded === 'hash');
    const pages = counted(source.scan(plan, true), (done) =>
      onProgress({ part: 'images', done, unit: 'images' }),
    );
    for await (const page of pages)
      for (let at = 0; at < page.length; at += filesAtOnce) {
        const some = page.slice(at, at + filesAtOnce).map((row) => String(row[hashAt]));
        await Promise.all(
          some.map(async (hash) => files.write(await source.readImage(hash), this.#options.clock.now())),
        );
      }
  }
}

async function putTable(
  database: Database,
  plan: TablePlan,
  source: ReaderSide,
  onProgress: OnProgress,
): Promise<number> {
  const { table, embedded } = plan;
  const part = `${table.database}: ${table.embedded}`;
  const pages = counted(source.scan(plan, true), (done) => onProgress({ part, done, unit: 'rows' }));
  const rows = await putRows(database, embedded.target, mapped(pages, embedded.rowOf));
  const last = await source.lastNumber(plan);
  if (last !== undefined) setLastNumber(database, table.embedded, last);
  return rows;
}

async function* mapped<From, To>(
  pages: AsyncIterable<readonly From[]>,
  map: (row: From) => To,
): AsyncGenerator<readonly To[]> {
  for await (const page of pages) yield page.map(map);
}

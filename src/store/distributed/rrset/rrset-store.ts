/**
 * Passive DNS for several nodes: rows in ClickHouse, batches and imports in PostgreSQL, which decides what exists. A row can be read a moment before
 * its batch is listed: it is a true sighting, early. Everything else is as on one machine.
 */
import { type Damage, DamagedData } from '../../damage.ts';
import { BatchIntake } from '../../rrset/batch-intake.ts';
import { alreadyPublished } from '../../rrset/scan/newly-observed-scanner.ts';
import type {
  ImportState,
  Intake,
  IntakeOptions,
  NewlyObservedCounts,
  NewlyObservedRrset,
  NewlyObservedScan,
  Row,
  RrsetStatistics,
  RrsetStore,
  Scan,
  Slices,
  TextRow,
  TextScan,
  UnpublishedBatch,
} from '../../rrset-store.ts';
import type { ClickHouseClient } from '../clickhouse/clickhouse-client.ts';
import { dropBatch, learnDomains, partCount, readAll, rowKinds } from '../clickhouse/sql.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { AnswerCache } from './answer-cache.ts';
import { BatchList } from './batch-list.ts';
import { BatchWriter } from './batch-writer.ts';
import { compactShard } from './compact-shard.ts';
import { ListedState } from './listed-state.ts';
import { NewlyObserved } from './newly-observed.ts';
import { KnownSlices, PagedSlices } from './paged-slices.ts';
import { planReader } from './plan-reader.ts';
import { RowTable } from './row-table.ts';
import { TextReader } from './text-reader.ts';

/** Of batches whose base domains become known in one statement. */
const batchesPerStep = 100;

export interface ClickHouseRrsetsOptions {
  readonly database: PostgresDatabase;
  /** In the order of the settings. */
  readonly shards: readonly ClickHouseClient[];
  /** How long a node that died keeps its batch under way. */
  readonly leaseMs?: number;
}

export class ClickHouseRrsetStore implements RrsetStore {
  readonly #shards: readonly ClickHouseClient[];
  readonly #list: BatchList;
  readonly #writer: BatchWriter;
  readonly #table: RowTable;
  readonly #state: ListedState;
  readonly #answers = new AnswerCache();

  constructor(options: ClickHouseRrsetsOptions) {
    const { database, shards } = options;
    this.#shards = shards;
    this.#list = new BatchList(database);
    const lease = options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs };
    this.#writer = new BatchWriter({ shards, list: this.#list, ...lease });
    this.#table = new RowTable(shards);
    this.#state = new ListedState(database, this.#list);
  }

  async openIntake({ importId, publish = false }: IntakeOptions = {}): Promise<Intake> {
    if (importId !== undefined) await this.#writer.resolveAbandoned();
    const before = importId === undefined ? undefined : await this.#list.findImport(importId);
    return new BatchIntake(
      {
        write: async (batch, { before: durable, observations, earlier }) => {
          await earlier;
          await this.#writer.write(batch, { importId, publish, before: durable, after: observations });
        },
        complete: async (observations) => {
          if (importId !== undefined && !before?.complete) {
            await this.#list.completeImport(importId, observations);
          }
        },
      },
      before?.observations ?? 0,
    );
  }

  findImport(id: string): Promise<ImportState | undefined> {
    return this.#list.findImport(id);
  }

  countNewlyObserved(importId: string): Promise<NewlyObservedCounts> {
    return this.#list.countNewlyObserved(importId);
  }

  scan(scan: Scan): Slices<Row> {
    const answer = this.#answers.open(scan, this.state());
    if (answer?.rows) return new KnownSlices(answer.rows);
    return new PagedSlices(planReader(this.#table, scan), answer?.keep);
  }

  scanText(scan: TextScan): Slices<TextRow> {
    return new PagedSlices(new TextReader(this.#table, scan));
  }

  async findUnpublished(): Promise<UnpublishedBatch | undefined> {
    await this.#writer.resolveAbandoned();
    return this.#list.findUnpublished();
  }

  async *scanNewlyObserved(scan: NewlyObservedScan): AsyncIterable<readonly NewlyObservedRrset[]> {
    await this.#requireUnpublished(scan.sequence);
    await this.#learnDomains();
    const observed = new NewlyObserved(this.#table, scan);
    for (let page = await observed.nextPage(); page; page = await observed.nextPage()) {
      // Once it is published, what it contained may be known.
      await this.#requireUnpublished(scan.sequence);
      yield page;
    }
  }

  async markPublished(sequence: number, counts: NewlyObservedCounts): Promise<void> {
    await this.#list.markPublished(sequence, counts);
    await this.#learnDomains();
  }

  state(): unknown {
    return this.#state.current();
  }

  async statistics(): Promise<RrsetStatistics> {
    const listed = await this.#list.statistics();
    const database = this.#shards[0]?.database ?? '';
    const parts = await this.#table.read(
      () => partCount(database),
      (row) => row.uint64(),
    );
    // What a lookup reads: of one shard.
    return { ...listed, segments: Math.max(...parts) };
  }

  async compact(): Promise<void> {
    await this.#learnDomains();
    for (const shard of this.#shards) await compactShard(shard);
  }

  async *verify(onProgress: (done: number, all: number) => void = () => undefined): AsyncIterable<Damage> {
    const { bytes } = await this.#list.statistics();
    const kinds = Object.values(rowKinds);
    for (const [index, kind] of kinds.entries()) {
      try {
        await this.#table.read(
          (dialect) => readAll(dialect, kind),
          (row) => row.uint64(),
        );
      } catch (error) {
        if (!(error instanceof DamagedData)) throw error;
        yield { file: error.file, problem: error.problem };
      }
      onProgress(Math.floor((bytes * (index + 1)) / kinds.length), bytes);
    }
  }

  /** What became of batches whose writers died, and of what nobody asks for any more. */
  async maintain(): Promise<void> {
    await this.#writer.resolveAbandoned();
    await this.#learnDomains();
    await this.#list.prune();
  }

  /** Throws where a shard does not answer now. What it returns is wrong though all do. */
  async ask(): Promise<string | undefined> {
    const faults = await Promise.all(this.#shards.map((shard) => shard.ask()));
    return faults.find((fault) => fault !== undefined);
  }

  async close(): Promise<void> {
    await this.#state.close();
    await this.#writer.close();
  }

  async #requireUnpublished(sequence: number): Promise<void> {
    if (!(await this.#list.isUnpublished(sequence))) throw alreadyPublished(sequence);
  }

  /** Base domains become known in the order of batches: up to the first that is still to be published. */
  async #learnDomains(): Promise<void> {
    for (;;) {
      const sequences = await this.#list.listUnknown(batchesPerStep);
      if (sequences.length === 0) return;
      await this.#table.writeBatch((dialect) => learnDomains(dialect, sequences));
      // Before they are known, so that what fails between two of these steps is repeated.
      for (const sequence of sequences) await this.#table.writeBatch(() => dropBatch(sequence));
      await this.#list.markKnown(sequences);
    }
  }
}

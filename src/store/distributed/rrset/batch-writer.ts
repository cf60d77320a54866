/**
 * Writes batches: each is begun in PostgreSQL, inserted into ClickHouse as one block, and listed in PostgreSQL. Where the outcome of an insert is
 * unknown, the query is ended, and the marker in the block shows whether it is there; only where it is not, the block is inserted again.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkerClient } from '../../../concurrency/worker-client.ts';
import { secondMs } from '../../../model/durations.ts';
import type { ObservationBatch } from '../../rrset/observation-batch.ts';
import { type ClickHouseClient, isAway } from '../clickhouse/clickhouse-client.ts';
import { readRows } from '../clickhouse/row-binary.ts';
import { dropBatch, insertFence, insertInto, markerCount, tables } from '../clickhouse/sql.ts';
import { tryAgain } from '../postgres/postgres-errors.ts';
import { type BatchBlocks, type BlockOptions, batchBlocks } from './batch-blocks.ts';
import type { AbandonedBatch, BatchList, BegunBatch } from './batch-list.ts';
import type { BlockCalls } from './block-worker.ts';

const usualLeaseMs = 60 * secondMs;
/** Blocks of smaller batches are made within milliseconds. */
const threadFromBytes = 32_768;
const attemptsMax = 5;
const betweenAttemptsMs = 200;
const fencesMax = 65_536;

export interface BatchWriterOptions {
  readonly shards: readonly ClickHouseClient[];
  readonly list: BatchList;
  /** How long a node that died keeps its batch under way. */
  readonly leaseMs?: number;
}

export interface WrittenProgress {
  readonly importId: string | undefined;
  readonly publish: boolean;
  readonly before: number;
  readonly after: number;
}

/** A batch that is being written, or whose write failed and is to be gone on with. */
interface UnfinishedBatch {
  readonly begun: BegunBatch;
  readonly blocks: BatchBlocks;
  /** For each shard: whether an insert was sent whose outcome is unknown, and whether it is there. */
  readonly isSent: boolean[];
  readonly isThere: boolean[];
}

export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #leaseMs: number;
  readonly #threads = new WorkerClient<BlockCalls, 'blocks'>({
    file: new URL('./block-worker.ts', import.meta.url),
    workerData: undefined,
    owner: 'passive DNS',
    // A batch is acknowledged when it is listed, so nothing that is lost here was promised.
    finish: [],
  });
  readonly #unfinished = new WeakMap<ObservationBatch, UnfinishedBatch>();

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? usualLeaseMs;
  }

  /** Throws where it could not be written yet. Called again with the same batch, it resumes. */
  async write(batch: ObservationBatch, progress: WrittenProgress): Promise<void> {
    for (;;) {
      const unfinished = this.#unfinished.get(batch) ?? (await this.#begin(batch, progress));
      this.#unfinished.set(batch, unfinished);
      const isInserted = await this.#insertAll(unfinished);
      const isListed = isInserted && (await this.#options.list.list(unfinished.begun.id));
      // Where another node gave it up while this one reached nothing, it is begun anew.
      this.#unfinished.delete(batch);
      if (isListed) return;
    }
  }

  /** Finds out what became of batches whose writers died. */
  async resolveAbandoned(): Promise<void> {
    const { list } = this.#options;
    for (;;) {
      const batch = await list.takeAbandoned(this.#leaseMs);
      if (!batch) return;
      try {
        await this.#resolve(batch);
      } catch (error) {
        // So the next caller gets this error too, rather than a batch that seems to be under way.
        await list.release(batch.id);
        throw isAway(error) ? tryAgain('ClickHouse', error) : error;
      }
    }
  }

  async #resolve(batch: AbandonedBatch): Promise<void> {
    const { list, shards } = this.#options;
    if (await this.#isComplete(batch)) {
      await list.list(batch.id);
      return;
    }
    await shards[0]?.write(dropBatch(batch.sequence));
    await list.giveUp(batch.id);
  }

  /** With several shards, it inserts what some of them lack. */
  async #isComplete({ observations, ...batch }: AbandonedBatch): Promise<boolean> {
    const { shards } = this.#options;
    if (!observations) {
      const [client] = shards as [ClickHouseClient];
      // One that lacks its quorum may have it later. After another one had its own, it was either decided or given up.
      if (client.isReplicated) await client.write(insertFence(randomInt(fencesMax)));
      return this.#isThere(batch.id, client);
    }
    const blocks = await this.#blocksOf(observations, await this.#blockOptions(batch, batch.publish));
    return this.#insertAll({ begun: batch, blocks, isSent: shards.map(() => true), isThere: [] });
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  async #begin(batch: ObservationBatch, progress: WrittenProgress): Promise<UnfinishedBatch> {
    const { list, shards } = this.#options;
    const id = randomUUID();
    const observations = shards.length > 1 ? batch.contents().slice() : undefined;
    const begun = await list.begin({ ...progress, id, leaseMs: this.#leaseMs, observations });
    const blocks = await this.#blocksOf(batch.contents(), await this.#blockOptions(begun, progress.publish));
    return { begun, blocks, isSent: [], isThere: [] };
  }

  async #blockOptions({ id, sequence, isKnownAtOnce }: BegunBatch, publish: boolean): Promise<BlockOptions> {
    const { shards } = this.#options;
    const { hasSimpleAggregates } = await (shards[0] as ClickHouseClient).capabilities();
    const batchId = bytesOf(id);
    return { batchId, sequence, hasSimpleAggregates, shards: shards.length, publish, isKnownAtOnce };
  }

  async #blocksOf(observations: Uint8Array, options: BlockOptions): Promise<BatchBlocks> {
    if (observations.length < threadFromBytes) return batchBlocks(observations, options);
    return this.#threads.run('blocks', 'batchBlocks', observations, options);
  }

  /** False where another node has given the batch up. */
  async #insertAll(unfinished: UnfinishedBatch): Promise<boolean> {
    const { rows, rrsets, minFirst, maxLast } = unfinished.blocks;
    const bytes = rows.reduce((sum, block) => sum + block.length, 0);
    for (let attempt = 1; ; attempt += 1) {
      // Longer than the inserts may take, so that a node that takes the batch over finds its outcome decided.
      const summary = { rrsets, bytes, minFirst, maxLast };
      const state = await this.#options.list.renew(unfinished.begun.id, this.#leaseMs, summary);
      if (state !== 'begun') return state === 'listed';
      try {
        for (const [shard] of rows.entries()) await this.#insertInto(shard, unfinished);
        return true;
      } catch (error) {
        if (!isAway(error)) throw error;
        if (attempt === attemptsMax) throw tryAgain('ClickHouse', error);
        await pause(betweenAttemptsMs * attempt);
      }
    }
  }

  async #insertInto(shard: number, { begun, blocks, isSent, isThere }: UnfinishedBatch): Promise<void> {
    const client = this.#options.shards[shard];
    const rows = blocks.rows[shard];
    if (!client || !rows || isThere[shard]) return;
    if (isSent[shard] && (await this.#isThere(begun.id, client))) {
      isThere[shard] = true;
      return;
    }
    isSent[shard] = true;
    // Rows of this table that are there twice count once.
    if (shard === 0 && blocks.batch) await this.#insert(client, randomUUID(), tables.batch, blocks.batch);
    await this.#insert(client, begun.id, tables.rows, rows);
    isThere[shard] = true;
  }

  #insert(
    client: ClickHouseClient,
    queryId: string,
    table: (typeof tables)[keyof typeof tables],
    block: Uint8Array,
  ): Promise<void> {
    const timeoutMs = Math.floor(this.#leaseMs / (this.#options.shards.length + 2));
    return client.insert({ statement: insertInto(table), block, queryId }, timeoutMs);
  }

  /** Whether the block is there, once nothing can insert it any more. Throws `try-again` where that cannot be found out yet. */
  async #isThere(id: string, client: ClickHouseClient): Promise<boolean> {
    await client.endQuery(id);
    const answer = await client.read(markerCount(bytesOf(id)), { isDecided: true });
    const [count] = readRows(answer, (row) => row.uint64());
    return (count ?? 0) > 0;
  }
}

/** Of a UUID. */
function bytesOf(id: string): Uint8Array {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

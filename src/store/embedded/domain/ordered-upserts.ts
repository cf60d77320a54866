/** Sends record updates to the writing thread, in the order of the calls. Batches of an import are prepared here while the one before is written. */
import { mapInSlices } from '../../../concurrency/map-in-slices.ts';
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { Clock } from '../../../model/clock.ts';
import type { ValueKeys } from '../../domain/value-keys.ts';
import type { RecordUpdate, UpsertCounts } from '../../domain-store.ts';
import type { DomainCalls } from './domain-calls.ts';
import type { IdleMerge } from './posting/idle-merge.ts';
import { buffersOf, type PreparedRecords, RecordPreparer } from './prepared-records.ts';

export interface UpsertNeeds {
  readonly threads: Pick<WorkerClient<DomainCalls, 'write'>, 'runTransferring'>;
  readonly keys: ValueKeys;
  readonly merge: Pick<IdleMerge, 'beginWrite' | 'endWrite' | 'failWrite'>;
  readonly clock: Clock;
}

interface Written {
  readonly counts: UpsertCounts;
  /** Whether changes of posting lists are to be merged. */
  readonly isPending: boolean;
}

/** Characters of JSON per chunk that is sent to the writing thread: encoding one takes about a millisecond. */
const chunkCharacters = 262_144;

/** So many updates are those of an import. */
const preparedMin = 1000;
/** Records that are prepared together. */
const preparedRecords = 256;

export class OrderedUpserts {
  readonly #needs: UpsertNeeds;
  #last: Promise<unknown> = Promise.resolve();
  /** Whether all domains of the last import's batch were new, as those of its next will be. */
  #areNew = true;

  constructor(needs: UpsertNeeds) {
    this.#needs = needs;
  }

  upsert(updates: readonly RecordUpdate[]): Promise<UpsertCounts> {
    const { merge } = this.#needs;
    const isImport = updates.length >= preparedMin;
    // A file whose domains are known already would be prepared in vain.
    const prepared = isImport && this.#areNew ? this.#prepare(updates) : Promise.resolve(undefined);
    merge.beginWrite();
    const stored = this.#last.then(async () => {
      try {
        const batch = await prepared;
        const written = (batch && (await this.#addNew(batch))) ?? (await this.#upsertAny(updates));
        const { counts, isPending } = written;
        merge.endWrite(isPending);
        if (isImport) this.#areNew = counts.changed + counts.unchanged === 0;
        return counts;
      } catch (error) {
        merge.failWrite();
        throw error;
      }
    });
    // A failure is thrown to the caller, and is none of the next one.
    prepared.catch(() => undefined);
    this.#last = stored.catch(() => undefined);
    return stored;
  }

  async #prepare(updates: readonly RecordUpdate[]): Promise<readonly PreparedRecords[]> {
    const { keys } = this.#needs;
    const batch: PreparedRecords[] = [];
    let preparer = new RecordPreparer(keys);
    await mapInSlices(updates, (update) => {
      preparer.add(update);
      if (preparer.count < preparedRecords) return;
      batch.push(preparer.prepared());
      preparer = new RecordPreparer(keys);
    });
    return [...batch, preparer.prepared()];
  }

  #addNew(batch: readonly PreparedRecords[]): Promise<Written | undefined> {
    const { threads, clock } = this.#needs;
    return threads.runTransferring(batch.flatMap(buffersOf), 'write', 'addNew', batch, clock.now());
  }

  async #upsertAny(updates: readonly RecordUpdate[]): Promise<Written> {
    const { threads, clock } = this.#needs;
    const texts = await mapInSlices(updates, (update) => JSON.stringify(update));
    const chunks = await mapInSlices(inChunks(texts), (chunk) =>
      new TextEncoder().encode(`[${chunk.join()}]`),
    );
    const buffers = chunks.map(({ buffer }) => buffer);
    return threads.runTransferring(buffers, 'write', 'upsert', chunks, clock.now());
  }
}

function inChunks(texts: readonly string[]): readonly (readonly string[])[] {
  const chunks: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (room <= 0) {
      chunks.push([]);
      room = chunkCharacters;
    }
    chunks.at(-1)?.push(text);
    room -= text.length;
  }
  return chunks;
}

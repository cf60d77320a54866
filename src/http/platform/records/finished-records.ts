/**
 * Records as they are sent, in bytes, kept until anything in their store changes: the counts of a record depend on all others. A page of
 * records that were sent before is then read, counted and written nowhere; an answer is put together from bytes. Kept in each process
 * that answers, up to a number of bytes; reaching it empties the cache.
 */
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { RecordPart } from '../../../model/record/attributes.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { DomainId, DomainStore, ValueCounts } from '../../../store/domain-store.ts';
import { type FinishedRecord, finishRecord, type RecordForm } from './record-wire.ts';

type Domains = Pick<DomainStore, 'findRecords' | 'getRecords' | 'state'>;

interface ReadRecord {
  readonly record: DomainRecord;
  readonly counts: ValueCounts;
}

type Key = string | DomainId;

/** Of one form, by name or by id. */
type Kept = Map<Key, FinishedRecord>;

/** Of the objects around the bytes of a record. */
const overheadBytes = 300;

export class FinishedRecords {
  readonly #domains: Domains;
  readonly #bytesMax: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #state: unknown;

  constructor(domains: Domains, bytesMax: number) {
    this.#domains = domains;
    this.#bytesMax = bytesMax;
  }

  /** In the order of `names`; undefined for those without a record. Values are not counted. */
  findRecords(names: readonly string[], form: RecordForm): Promise<readonly (FinishedRecord | undefined)[]> {
    return this.#find(names, form, async (unknown) => {
      const records = await this.#domains.findRecords(unknown);
      return records.map((record) => record && { record, counts: {} });
    });
  }

  /** In the order of `ids`, with the counts of `parts`. */
  async getRecords(
    ids: readonly DomainId[],
    parts: readonly RecordPart[],
    form: RecordForm,
  ): Promise<readonly FinishedRecord[]> {
    const found = await this.#find(ids, form, async (unknown) =>
      (await this.#domains.getRecords(unknown, parts)).map(({ json, counts }) => ({
        // Parsed when it is written, one at a time.
        get record() {
          return JSON.parse(json) as DomainRecord;
        },
        counts,
      })),
    );
    return found as readonly FinishedRecord[];
  }

  async #find<Of extends Key>(
    keys: readonly Of[],
    form: RecordForm,
    read: (unknown: readonly Of[]) => Promise<readonly (ReadRecord | undefined)[]>,
  ): Promise<readonly (FinishedRecord | undefined)[]> {
    const state = await this.#domains.state();
    const kept = this.#keptAt(state, form);
    const found = keys.map((key) => kept.get(key));
    const unknown = keys.filter((_, index) => found[index] === undefined);
    if (unknown.length === 0) return found;
    const slice = new TimeSlice();
    const written: (FinishedRecord | undefined)[] = [];
    for (const one of await read(unknown)) {
      const turn = slice.yieldIfOver();
      if (turn) await turn;
      written.push(one && finishRecord(one.record, one.counts, form));
    }
    const stateAfter = await this.#domains.state();
    if (stateAfter === state && this.#state === state) this.#keep(kept, unknown, written);
    let next = 0;
    return found.map((known) => known ?? written[next++]);
  }

  #keptAt(state: unknown, { wrapping, parsedWhois, parsedRdap, serverUrl }: RecordForm): Kept {
    if (state !== this.#state) this.#clear();
    this.#state = state;
    const name = `${wrapping} ${parsedWhois} ${parsedRdap} ${serverUrl}`;
    const kept = this.#kept.get(name) ?? new Map<Key, FinishedRecord>();
    this.#kept.set(name, kept);
    return kept;
  }

  #keep(kept: Kept, keys: readonly Key[], records: readonly (FinishedRecord | undefined)[]): void {
    for (const [index, record] of records.entries()) {
      if (!record) continue;
      this.#bytes += record.bytes.length + overheadBytes;
      if (this.#bytes > this.#bytesMax) return this.#clear();
      kept.set(keys[index] as Key, record);
    }
  }

  #clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}

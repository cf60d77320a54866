/**
 * Records as they are sent, in bytes, kept in each process that answers, up to a number of bytes; reaching it empties the cache. While nothing
 * in their store changes, a record that was sent before is read, counted and written nowhere. After that it is read and counted again, because
 * its counts depend on all others, and is written again if it has changed itself.
 */
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { RecordPart } from '../../../model/record/attributes.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { DomainId, DomainStore, UnparsedRecord, ValueCounts } from '../../../store/domain-store.ts';
import { type FinishedRecord, finishRecord, type RecordForm, recountRecord } from './record-wire.ts';

type Domains = Pick<DomainStore, 'findUnparsed' | 'getRecords' | 'state'>;

interface ReadRecord extends UnparsedRecord {
  readonly counts: ValueCounts;
}

type Key = string | DomainId;

interface KeptRecord {
  /** As it is stored. */
  readonly json: string;
  readonly finished: FinishedRecord;
  /** Of the store when it was read; null if the store changed meanwhile. */
  readonly state: unknown;
}

/** Of one form, by name or by id. */
type Kept = Map<Key, KeptRecord>;

/** Of the objects around the texts of a record. */
const overheadBytes = 500;
/** Of each count: its place and value. */
const countBytes = 8;

export class FinishedRecords {
  readonly #domains: Domains;
  readonly #bytesMax: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(domains: Domains, bytesMax: number) {
    this.#domains = domains;
    this.#bytesMax = bytesMax;
  }

  /** In the order of `names`; undefined for those without a record. Values are not counted. */
  findRecords(names: readonly string[], form: RecordForm): Promise<readonly (FinishedRecord | undefined)[]> {
    return this.#find(names, form, async (unknown) => {
      const records = await this.#domains.findUnparsed(unknown);
      return records.map((record) => record && { ...record, counts: {} });
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
        json,
        counts,
        parse: () => JSON.parse(json) as DomainRecord,
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
    const kept = this.#keptIn(form);
    const found = keys.map((key) => {
      const known = kept.get(key);
      return known && known.state === state ? known.finished : undefined;
    });
    const unknown = keys.filter((_, index) => found[index] === undefined);
    if (unknown.length === 0) return found;
    const stored = await read(unknown);
    const slice = new TimeSlice();
    const finished: (FinishedRecord | undefined)[] = [];
    for (const [index, one] of stored.entries()) {
      const nextSlice = slice.yieldIfOver();
      if (nextSlice) await nextSlice;
      finished.push(one && finish(one, kept.get(unknown[index] as Of), form));
    }
    const stateOfAll = (await this.#domains.state()) === state ? state : null;
    for (const [index, one] of stored.entries()) {
      if (one)
        this.#keep(kept, unknown[index] as Of, {
          json: one.json,
          finished: finished[index] as FinishedRecord,
          state: stateOfAll,
        });
    }
    let next = 0;
    return found.map((known) => known ?? finished[next++]);
  }

  #keptIn({ wrapping, parsedWhois, parsedRdap, serverUrl }: RecordForm): Kept {
    const name = `${wrapping} ${parsedWhois} ${parsedRdap} ${serverUrl}`;
    const kept = this.#kept.get(name) ?? new Map<Key, KeptRecord>();
    this.#kept.set(name, kept);
    return kept;
  }

  #keep(kept: Kept, key: Key, record: KeptRecord): void {
    const before = kept.get(key);
    this.#bytes += bytesOf(record) - (before ? bytesOf(before) : 0);
    kept.set(key, record);
    if (this.#bytes > this.#bytesMax) this.#clear();
  }

  /** The maps stay: requests that are under way go on to use them. */
  #clear(): void {
    for (const kept of this.#kept.values()) kept.clear();
    this.#bytes = 0;
  }
}

function finish(read: ReadRecord, kept: KeptRecord | undefined, form: RecordForm): FinishedRecord {
  return kept?.json === read.json
    ? recountRecord(kept.finished, read.counts)
    : finishRecord(read.parse(), read.counts, form);
}

function bytesOf({ json, finished: { bytes, counts } }: KeptRecord): number {
  return json.length + bytes.length + counts.values.length * countBytes + overheadBytes;
}

/**
 * All that is stored of some records of new domains, computed without the database, so that the next batch of an import is prepared while the writing
 * thread writes one. Ids are counted from 0. Everything is in buffers, which are moved to that thread and not copied.
 */
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { columns, numbersOf } from '../../domain/columns.ts';
import { hiddenValuesOf, historicalValuesOf } from '../../domain/indexed-values.ts';
import { type KeysByPart, keysOfRecord } from '../../domain/record-keys.ts';
import { firstRecord } from '../../domain/record-update.ts';
import { foldedText, type ValueKey, type ValueKeys } from '../../domain/value-keys.ts';
import { wordsOf } from '../../domain/words.ts';
import type { RecordUpdate, SharedValue } from '../../domain-store.ts';
import { ChangeBuffer } from './posting/change-buffer.ts';
import { isSearchedBySubstring } from './text/substring-index.ts';

/** The parts of a record. */
const parts = 3;
const encoder = new TextEncoder();

export interface PreparedRecords {
  /** JSON of `PreparedTexts`. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** The records as they are stored, one after the other, and where each ends. */
  readonly records: Uint8Array<ArrayBuffer>;
  readonly recordEnds: Uint32Array<ArrayBuffer>;
  /** The keys of the three parts of each record, and where each part ends. */
  readonly keys: BigInt64Array<ArrayBuffer>;
  readonly keyEnds: Uint32Array<ArrayBuffer>;
  /** What is added to posting lists, in the order of ids. */
  readonly addedKeys: BigInt64Array<ArrayBuffer>;
  readonly addedIds: Uint32Array<ArrayBuffer>;
  /** Of the values that are searched by substring, each once. */
  readonly valueKeys: BigInt64Array<ArrayBuffer>;
  /** Those of each record, in the order of the columns. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

export interface PreparedTexts {
  readonly names: readonly string[];
  readonly sources: readonly string[];
  readonly seenMs: readonly number[];
  /** Of the WHOIS records. */
  readonly words: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly folded: readonly string[];
}

/** Takes one record after the other, which takes a fraction of a millisecond each. */
export class RecordPreparer {
  readonly #keys: ValueKeys;
  readonly #texts = new PreparedTextLists();
  readonly #records: Uint8Array[] = [];
  readonly #ofParts: BigInt64Array[] = [];
  readonly #numbers: number[] = [];
  readonly #added = new ChangeBuffer();
  readonly #values = new Map<ValueKey, readonly [Attribute, folded: string]>();

  constructor(keys: ValueKeys) {
    this.#keys = keys;
  }

  get count(): number {
    return this.#records.length;
  }

  add(update: RecordUpdate): void {
    const record = firstRecord(update);
    const id = this.#records.push(encoder.encode(JSON.stringify(record))) - 1;
    this.#texts.add(update, record);
    const add = ({ attribute, value }: SharedValue) =>
      this.#added.add(this.#keys.keyOf(attribute, value), id);
    hiddenValuesOf(record).forEach(add);
    historicalValuesOf(record.parsed_whois).forEach(add);
    const shown = keysOfRecord(this.#keys, record, (key, attribute, value) => {
      this.#added.add(key, id);
      if (isSearchedBySubstring(attribute) && !this.#values.has(key))
        this.#values.set(key, [attribute, foldedText(value)]);
    });
    this.#ofParts.push(shown.root, shown.parsed_whois, shown.parsed_domain_rdap);
    this.#numbers.push(...numbersOf(record));
  }

  prepared(): PreparedRecords {
    const recordEnds = endsOf(this.#records);
    const keyEnds = endsOf(this.#ofParts);
    return {
      texts: encoder.encode(JSON.stringify(this.#texts.withValues([...this.#values.values()]))),
      records: joined(this.#records, new Uint8Array(recordEnds.at(-1) ?? 0), recordEnds),
      recordEnds,
      keys: joined(this.#ofParts, new BigInt64Array(keyEnds.at(-1) ?? 0), keyEnds),
      keyEnds,
      ...this.#added.listed(),
      valueKeys: BigInt64Array.from(this.#values.keys()),
      numbers: Float64Array.from(this.#numbers),
    };
  }
}

class PreparedTextLists {
  readonly #names: string[] = [];
  readonly #sources: string[] = [];
  readonly #seenMs: number[] = [];
  readonly #words: string[] = [];

  add({ source, seenMs }: RecordUpdate, { domain, parsed_whois }: DomainRecord): void {
    this.#names.push(domain);
    this.#sources.push(source);
    this.#seenMs.push(seenMs);
    this.#words.push(wordsOf(parsed_whois?.record ?? ''));
  }

  withValues(values: readonly (readonly [Attribute, folded: string])[]): PreparedTexts {
    return {
      names: this.#names,
      sources: this.#sources,
      seenMs: this.#seenMs,
      words: this.#words,
      attributes: values.map(([attribute]) => attribute),
      folded: values.map(([, folded]) => folded),
    };
  }
}

export function textsOf({ texts }: PreparedRecords): PreparedTexts {
  return JSON.parse(
    Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength).toString(),
  ) as PreparedTexts;
}

export function recordOf({ records, recordEnds }: PreparedRecords, index: number): Buffer {
  const from = startOf(recordEnds, index);
  return Buffer.from(records.buffer, records.byteOffset + from, (recordEnds[index] as number) - from);
}

export function keysOf({ keys, keyEnds }: PreparedRecords, index: number): KeysByPart {
  const of = (part: number) => {
    const at = index * parts + part;
    return keys.subarray(startOf(keyEnds, at), keyEnds[at]);
  };
  return { root: of(0), parsed_whois: of(1), parsed_domain_rdap: of(2) };
}

export function numbersAt({ numbers }: PreparedRecords, index: number): Float64Array {
  return numbers.subarray(index * columns.length, (index + 1) * columns.length);
}

/** What is moved between threads. */
export function buffersOf(prepared: PreparedRecords): readonly ArrayBuffer[] {
  return Object.values(prepared).map(({ buffer }: { readonly buffer: ArrayBuffer }) => buffer);
}

function endsOf(lists: readonly ArrayLike<unknown>[]): Uint32Array<ArrayBuffer> {
  const ends = new Uint32Array(lists.length);
  let end = 0;
  for (const [index, { length }] of lists.entries()) {
    end += length;
    ends[index] = end;
  }
  return ends;
}

function joined<Value, Into extends { set(list: ArrayLike<Value>, at: number): void }>(
  lists: readonly ArrayLike<Value>[],
  into: Into,
  ends: Uint32Array,
): Into {
  for (const [index, list] of lists.entries()) into.set(list, startOf(ends, index));
  return into;
}

function startOf(ends: Uint32Array, index: number): number {
  return index === 0 ? 0 : (ends[index - 1] as number);
}

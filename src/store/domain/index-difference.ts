/** How the index entries of a record differ from those that this version derives. */
import { recordParts } from '../../model/record/attributes.ts';
import type { Attribute } from '../../model/record/condition.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { numbersOf } from './columns.ts';
import { isSameKeys, type KeysByPart } from './record-keys.ts';
import type { ValueKey } from './value-keys.ts';

/** A value that is searched by part of its text, and is not indexed so. */
export type MissingText = readonly [ValueKey, Attribute, string];

export interface WhoisDifference {
  /** Words of the latest text; empty where it has none and must not be indexed. Undefined where the index is right. */
  readonly latest: string | undefined;
  /** Words of past texts that are not indexed. */
  readonly past: readonly string[];
}

/** Members are empty or undefined where the index is right. */
export interface IndexDifference {
  readonly missing: readonly ValueKey[];
  readonly stale: readonly ValueKey[];
  readonly keys: KeysByPart | undefined;
  readonly texts: readonly MissingText[];
  readonly name: string | undefined;
  readonly numbers: { readonly before: readonly number[]; readonly after: readonly number[] } | undefined;
  readonly whois: WhoisDifference | undefined;
}

/** A record, and what the index has of it. */
export interface IndexedRecord extends Pick<IndexDifference, 'texts' | 'name' | 'whois'> {
  readonly record: DomainRecord;
  readonly expected: ReadonlyMap<ValueKey, Attribute>;
  /** As stored with the record, if they are. */
  readonly stored: KeysByPart | undefined;
  readonly computed: KeysByPart;
  /** As stored in the columns. */
  readonly numbers: readonly number[];
  /** Whether the posting list of the key has the domain. */
  readonly has: (key: ValueKey) => boolean;
}

/** Undefined where the index is right. */
export function differenceOf(indexed: IndexedRecord): IndexDifference | undefined {
  const { record, expected, stored, computed, texts, name, whois } = indexed;
  const difference: IndexDifference = {
    missing: [...expected.keys()].filter((key) => !indexed.has(key)),
    stale: staleKeys(indexed),
    keys:
      stored && recordParts.every((part) => isSameKeys(stored[part], computed[part])) ? undefined : computed,
    texts,
    name,
    numbers: differingNumbers(record, indexed.numbers),
    whois,
  };
  return isEmpty(difference) ? undefined : difference;
}

function staleKeys({ stored, expected, has }: IndexedRecord): readonly ValueKey[] {
  if (!stored) return [];
  const keys = new Set(recordParts.flatMap((part) => [...stored[part]]));
  return [...keys].filter((key) => !expected.has(key) && has(key));
}

function differingNumbers(record: DomainRecord, before: readonly number[]): IndexDifference['numbers'] {
  const after = numbersOf(record);
  return after.every((number, column) => Object.is(number, before[column])) ? undefined : { before, after };
}

function isEmpty({ missing, stale, keys, texts, name, numbers, whois }: IndexDifference): boolean {
  return (
    [missing, stale, texts].every((list) => list.length === 0) &&
    [keys, name, numbers, whois].every((part) => part === undefined)
  );
}

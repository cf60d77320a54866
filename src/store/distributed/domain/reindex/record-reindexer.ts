/** Compares the index entries of some records with those that this version derives, and applies the difference. */
import { mapInSlices } from '../../../../concurrency/map-in-slices.ts';
import { recordParts } from '../../../../model/record/attributes.ts';
import type { ColumnReader } from '../../../domain/columns.ts';
import {
  differenceOf,
  type IndexDifference,
  type MissingText,
  type WhoisDifference,
} from '../../../domain/index-difference.ts';
import { type KeysByPart, keysOfRecord } from '../../../domain/record-keys.ts';
import type { ValueKey, ValueKeys } from '../../../domain/value-keys.ts';
import { digestOfWords, wordsOf } from '../../../domain/words.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';
import { ColumnChanges, readColumns } from '../column-rows.ts';
import { type LoadedPostings, loadPostings } from '../posting/loaded-postings.ts';
import { PostingChanges } from '../posting/posting-changes.ts';
import { putRecords, type RecordToStore } from '../record-rows.ts';
import { isSubstringAttribute, TextChanges } from '../text-rows.ts';
import { type ExpectedRecord, entriesOf, listExpected } from './expected-entries.ts';
import { type IndexedTexts, readIndexedTexts } from './indexed-texts.ts';

interface Differing {
  readonly one: ExpectedRecord;
  readonly difference: IndexDifference;
}

interface Comparable {
  readonly one: ExpectedRecord;
  readonly computed: KeysByPart;
  readonly texts: readonly MissingText[];
}

/** What differs, of these domains. */
export async function listDiffering(
  sql: Transaction,
  keys: ValueKeys,
  wanted: readonly DomainId[],
): Promise<readonly Differing[]> {
  const records = await listExpected(sql, keys, wanted);
  const compared = await mapInSlices(records, (one) => comparable(keys, one));
  const entries = entriesOf(
    records.map(({ id, expected, keys: stored }) => [id, [...expected.keys(), ...allKeys(stored)]]),
  );
  const ids = records.map(({ id }) => id);
  const texts = compared.flatMap((one) => one.texts.map(([key]) => key));
  const [postings, numbers, indexed] = await Promise.all([
    loadPostings(sql, entries),
    readColumns(sql, ids),
    readIndexedTexts(sql, ids, texts),
  ]);
  const differences = await mapInSlices(compared, (one) => compare(one, { postings, numbers, indexed }));
  return compared.flatMap(({ one }, at) => {
    const difference = differences[at];
    return difference ? [{ one, difference }] : [];
  });
}

const allKeys = (stored: KeysByPart): ValueKey[] => recordParts.flatMap((part) => [...stored[part]]);

function comparable(keys: ValueKeys, one: ExpectedRecord): Comparable {
  const texts: MissingText[] = [];
  const computed = keysOfRecord(keys, one.record, (key, attribute, value) => {
    if (isSubstringAttribute(attribute)) texts.push([key, attribute, value]);
  });
  return { one, computed, texts };
}

interface Index {
  readonly postings: LoadedPostings;
  readonly numbers: readonly ColumnReader[];
  readonly indexed: IndexedTexts;
}

function compare({ one, computed, texts }: Comparable, index: Index): IndexDifference | undefined {
  const { id, record, expected, keys: stored } = one;
  return differenceOf({
    record,
    expected,
    stored,
    computed,
    has: (key) => index.postings.has(key, id),
    texts: texts.filter(([key]) => !index.indexed.values.has(key)),
    // The names themselves are indexed.
    name: undefined,
    numbers: index.numbers.map((column) => column.numberOf(id)),
    whois: whoisDifference(one, index.indexed),
  });
}

function whoisDifference({ id, record, past }: ExpectedRecord, indexed: IndexedTexts) {
  const words = wordsOf(record.parsed_whois?.record ?? '');
  const isRight =
    (indexed.latest.get(id) ?? '') === (words === '' ? '' : digestOfWords(words).toString('hex'));
  const missing = [...new Set(past.map((whois) => wordsOf(whois.record ?? '')))].filter(
    // A text that is the latest again is found as such.
    (text) =>
      text !== '' && text !== words && !indexed.past.has(`${id} ${digestOfWords(text).toString('hex')}`),
  );
  if (isRight && missing.length === 0) return undefined;
  return { latest: isRight ? undefined : words, past: missing } satisfies WhoisDifference;
}

/** Within the caller's transaction, with the records locked. */
export async function applyDifferences(sql: Transaction, differing: readonly Differing[]): Promise<void> {
  const [postings, columns, texts] = [new PostingChanges(), new ColumnChanges(), new TextChanges()];
  const records: RecordToStore[] = [];
  for (const { one, difference } of differing) {
    const { id, record } = one;
    const { missing, stale, keys, numbers, whois } = difference;
    for (const key of missing) postings.add(key, id);
    for (const key of stale) postings.remove(key, id);
    if (keys) records.push({ id, record, keys });
    for (const [key, attribute, value] of difference.texts) texts.addValue(key, attribute, value);
    if (numbers) columns.set(id, numbers.before, numbers.after);
    if (whois?.latest !== undefined) texts.setLatest(id, whois.latest);
    for (const words of whois?.past ?? []) texts.addPast(id, words);
  }
  await putRecords(sql, records);
  await texts.flush(sql);
  await postings.flush(sql);
  await columns.flush(sql);
}

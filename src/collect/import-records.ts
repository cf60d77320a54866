/**
 * Imports domain records from lines of JSON. Invalid lines are reported by number and skipped; the rest is stored in batches.
 * Idempotent: an unchanged record changes nothing.
 */
import { isBlank } from '../model/channel-line.ts';
import type { DomainRecord } from '../model/record/domain-record.ts';
import { normaliseRecord } from '../model/record/normalise.ts';
import type { DomainStore, RecordUpdate } from '../store/domain-store.ts';
import { decompress } from './input/decompress.ts';
import { hasInvalidUtf8 } from './input/invalid-utf8.ts';
import { readLines } from './input/lines.ts';

/** A large batch touches each index page once, many small ones every time. */
const batchRecords = 6000;
const batchLength = 16 << 20;
/** One is written, the next one is prepared, and a third one is read meanwhile. The store keeps their order. */
const storedAtOnce = 2;

export interface RecordCounts {
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly malformed: number;
}

interface RecordImportNeeds {
  readonly domains: Pick<DomainStore, 'upsert'>;
  /** Recorded as the source of the records. */
  readonly source: string;
  /** The time of stored batches. */
  readonly now: () => number;
  readonly onFault: (position: string, reason: string) => void;
  /** Called after every chunk of lines. */
  readonly onProgress: (counts: RecordCounts) => void;
}

export async function importRecords(
  bytes: AsyncIterable<Uint8Array>,
  needs: RecordImportNeeds,
): Promise<RecordCounts> {
  let counts: RecordCounts = { read: 0, added: 0, changed: 0, unchanged: 0, malformed: 0 };
  let batch: DomainRecord[] = [];
  let length = 0;
  const storing: Promise<Stored>[] = [];
  const finishOne = async () => {
    const stored = await storing.shift();
    if (stored) counts = sum(counts, stored);
  };
  const store = async () => {
    if (storing.length === storedAtOnce) await finishOne();
    const stored = storeRecords(batch, needs);
    // The failure is thrown where the promise is awaited.
    stored.catch(() => undefined);
    storing.push(stored);
    batch = [];
    length = 0;
  };
  for await (const { firstNumber, lines } of readLines(decompress(bytes))) {
    for (const [index, line] of lines.entries()) {
      if (line !== undefined && isBlank(line)) continue;
      const outcome = readRecord(line);
      if ('record' in outcome) {
        batch.push(outcome.record);
        length += line?.length ?? 0;
      } else {
        counts = { ...counts, malformed: counts.malformed + 1 };
        needs.onFault(`line ${firstNumber + index}`, outcome.reason);
      }
    }
    counts = { ...counts, read: counts.read + lines.length };
    if (batch.length >= batchRecords || length >= batchLength) await store();
    needs.onProgress(counts);
  }
  if (batch.length > 0) await store();
  while (storing.length > 0) await finishOne();
  return counts;
}

/** All records of a batch have the same time. */
async function storeRecords(
  records: readonly DomainRecord[],
  { domains, source, now }: Pick<RecordImportNeeds, 'domains' | 'source' | 'now'>,
) {
  const seenMs = now();
  return domains.upsert(records.map((record): RecordUpdate => ({ record, source, seenMs })));
}

function readRecord(
  line: string | undefined,
): { readonly record: DomainRecord } | { readonly reason: string } {
  if (line === undefined) return { reason: 'is too long' };
  if (hasInvalidUtf8(line)) return { reason: 'contains bytes that are not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { reason: 'is not valid JSON' };
  }
  const outcome = normaliseRecord(value);
  return 'record' in outcome ? outcome : { reason: outcome.faults.join('; ') };
}

type Stored = Pick<RecordCounts, 'added' | 'changed' | 'unchanged'>;

function sum(counts: RecordCounts, { added, changed, unchanged }: Stored): RecordCounts {
  return {
    ...counts,
    added: counts.added + added,
    changed: counts.changed + changed,
    unchanged: counts.unchanged + unchanged,
  };
}

/**
 * Domain records into the store, from lines of JSON. A line that is no record is told with its number and passed over; the
 * rest is stored in batches. Storing what is there already changes nothing, so an import may be repeated at will.
 */
import { isBlank } from '../model/channel-line.ts';
import type { DomainRecord } from '../model/record/domain-record.ts';
import { normalise } from '../model/record/normalise.ts';
import type { DomainStore, RecordUpdate } from '../store/domain-store.ts';
import { readLines } from './rrset-formats/lines.ts';
import { hasLostBytes } from './rrset-formats/lost-bytes.ts';
import { plainBytes } from './rrset-formats/plain-bytes.ts';

/** A great batch touches every page of an index once, where many small ones would touch it each time. */
const batchRecords = 6000;
const batchLength = 16 << 20;

export interface RecordCounts {
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly malformed: number;
}

interface RecordImportNeeds {
  readonly domains: Pick<DomainStore, 'upsert'>;
  /** Who says so. */
  readonly source: string;
  /** The time at which a batch is stored. */
  readonly now: () => number;
  readonly onFault: (place: string, reason: string) => void;
  /** Called now and then. */
  readonly onProgress: (counts: RecordCounts) => void;
}

export async function importRecords(
  bytes: AsyncIterable<Uint8Array>,
  needs: RecordImportNeeds,
): Promise<RecordCounts> {
  let counts: RecordCounts = { read: 0, added: 0, changed: 0, unchanged: 0, malformed: 0 };
  let batch: DomainRecord[] = [];
  let length = 0;
  /** One batch is read while the one before it is being stored. */
  let storing: Promise<Stored | undefined> = Promise.resolve(undefined);
  const settle = async () => {
    const stored = await storing;
    if (stored) counts = sum(counts, stored);
  };
  const store = async () => {
    await settle();
    storing = storeRecords(batch, needs);
    // Whoever waits for it later hears of the failure; until then nobody does.
    storing.catch(() => undefined);
    batch = [];
    length = 0;
  };
  for await (const { firstNumber, lines } of readLines(plainBytes(bytes))) {
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
  await settle();
  return counts;
}

/** All of a batch are of one moment. */
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
  if (hasLostBytes(line)) return { reason: 'holds bytes that are not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { reason: 'is not valid JSON' };
  }
  const outcome = normalise(value);
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

/** What becomes of records on their way in, one after another within a transaction of the caller's. */
import { completed, saysIfActive } from '../../../model/record/completed.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { DomainId, RecordUpdate, SharedValue } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { changedMembers } from './changed-members.ts';
import { ColumnChanges, numbersOf } from './columns.ts';
import { historicalValuesOf, unshownValuesOf } from './indexed-values.ts';
import { PostingChanges } from './posting-changes.ts';
import { RecordKeys } from './record-keys.ts';
import { RecordRows } from './record-rows.ts';
import { TextPartChanges } from './text-parts.ts';
import { UpdateLog } from './update-log.ts';
import { type ValueKey, ValueKeys } from './value-keys.ts';
import { WhoisChanges } from './whois-words.ts';

export type Outcome = 'added' | 'changed' | 'unchanged';

export class Upserts {
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #recordKeys: RecordKeys;
  readonly #postings: PostingChanges;
  readonly #columns: ColumnChanges;
  readonly #parts: TextPartChanges;
  readonly #whois: WhoisChanges;
  readonly #log: UpdateLog;
  #nowMs = 0;
  readonly #putDomain;
  readonly #putRecord;
  readonly #putChange;

  constructor(database: Database) {
    this.#rows = new RecordRows(database);
    this.#keys = new ValueKeys(database);
    this.#recordKeys = new RecordKeys(database, this.#keys);
    this.#postings = new PostingChanges(database);
    this.#columns = new ColumnChanges(database);
    this.#parts = new TextPartChanges(database);
    this.#whois = new WhoisChanges(database);
    this.#log = new UpdateLog(database);
    this.#putDomain = database.prepare('insert into domain (name) values (?)');
    this.#putRecord = database.prepare('insert or replace into record (id, record) values (?, ?)');
    this.#putChange = database.prepare(
      'insert into change (domain_id, at_ms, field, before, after, source) values (?, ?, ?, ?, ?, ?)',
    );
  }

  /** Nothing is left over from a transaction that failed. */
  begin(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#postings.forget();
    this.#columns.forget();
    this.#parts.forget();
  }

  take(update: RecordUpdate): Outcome {
    const id = this.#rows.findId(update.record.domain);
    if (id === undefined) {
      this.#add(update);
      return 'added';
    }
    const before = this.#rows.findRecord(id) as DomainRecord;
    const { source, seenMs } = update;
    const record = wholeRecord(before, update);
    const after = {
      ...record,
      first_seen: earliest(before.first_seen ?? instant(seenMs), record.first_seen),
    };
    const members = changedMembers(before, after);
    if (members.length === 0) return 'unchanged';
    for (const member of members) {
      const [was, is] = [before[member], after[member]].map((value) => JSON.stringify(value) ?? null);
      this.#putChange.run(id, seenMs, member, was, is, source);
    }
    this.#log.note(id, update, this.#nowMs, members);
    this.#store(id, before, { ...after, data_updated_timestamp: instant(seenMs) });
    return 'changed';
  }

  finish(): void {
    this.#postings.make();
    this.#columns.make();
    this.#parts.make();
  }

  #add(update: RecordUpdate): void {
    const { record, seenMs } = update;
    const id = Number(this.#putDomain.run(record.domain).lastInsertRowid);
    this.#log.note(id, update, this.#nowMs, undefined);
    this.#parts.addName(id, record.domain);
    const seen = instant(seenMs);
    this.#store(id, undefined, {
      ...record,
      first_seen: record.first_seen ?? seen,
      data_updated_timestamp: seen,
    });
  }

  #store(id: DomainId, before: DomainRecord | undefined, after: DomainRecord): void {
    this.#putRecord.run(id, JSON.stringify(after));
    const had = new Set(before && this.#keysBefore(id, before));
    const lost = new Set(had);
    const has = (key: ValueKey) => {
      if (!had.has(key)) this.#postings.add(key, id);
      lost.delete(key);
    };
    const keys = this.#recordKeys.make(after, (key, attribute, value) => {
      has(key);
      this.#parts.addValue(key, attribute, value);
    });
    this.#recordKeys.put(id, keys);
    for (const key of this.#keysOf(unshownValuesOf(after))) has(key);
    for (const key of lost) this.#postings.remove(key, id);
    const said = new Set(this.#keysOf(historicalValuesOf(before?.parsed_whois)));
    for (const key of this.#keysOf(historicalValuesOf(after.parsed_whois))) {
      if (!said.has(key)) this.#postings.add(key, id);
    }
    this.#columns.set(id, before && numbersOf(before), numbersOf(after));
    this.#whois.change(id, before?.parsed_whois?.record, after.parsed_whois?.record);
  }

  #keysBefore(id: DomainId, before: DomainRecord): ValueKey[] {
    const { root, parsed_whois, parsed_domain_rdap } = this.#recordKeys.of(id, () => before);
    return [...root, ...parsed_whois, ...parsed_domain_rdap, ...this.#keysOf(unshownValuesOf(before))];
  }

  #keysOf(values: readonly SharedValue[]): ValueKey[] {
    return values.map(({ attribute, value }) => this.#keys.keyOf(attribute, value));
  }
}

/** What an update about some members makes of the record that is kept. Whether a domain is active follows from those that show it. */
function wholeRecord(before: DomainRecord, { record, members }: RecordUpdate): DomainRecord {
  if (!members) return record;
  const { active: _active, ...others } = before;
  const kept = saysIfActive(members) ? others : before;
  const said = Object.fromEntries(members.map((member) => [member, record[member]]));
  return completed({ ...kept, ...said, sources: { ...before.sources, ...record.sources } });
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** The earlier of two instants as they are written; what is no instant is later than any. */
function earliest(one: string, other: string | undefined): string {
  if (other === undefined) return one;
  return Date.parse(other) < Date.parse(one) ? other : one;
}

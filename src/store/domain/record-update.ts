/** What an update makes of a record, and what changed. */
import { affectActive, withDerivedFields } from '../../model/record/derived-fields.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { RecordUpdate } from '../domain-store.ts';
import { changedMembers } from './changed-members.ts';

export type Outcome = 'added' | 'changed' | 'unchanged';

/** A change as the history has it: JSON, null for an absent value. */
export interface MemberChange {
  readonly field: keyof DomainRecord;
  readonly previous: string | null;
  readonly current: string | null;
}

/** Of a domain without one. */
export function firstRecord({ record, seenMs }: RecordUpdate): DomainRecord {
  const seen = instant(seenMs);
  return { ...record, first_seen: record.first_seen ?? seen, data_updated_timestamp: seen };
}

/** Undefined where nothing changes. */
export function updatedRecord(
  before: DomainRecord,
  update: RecordUpdate,
): { readonly record: DomainRecord; readonly changes: readonly MemberChange[] } | undefined {
  const { seenMs } = update;
  const record = mergedRecord(before, update);
  const after = {
    ...record,
    first_seen: earliest(before.first_seen ?? instant(seenMs), record.first_seen),
  };
  const members = changedMembers(before, after);
  if (members.length === 0) return undefined;
  return {
    record: { ...after, data_updated_timestamp: instant(seenMs) },
    changes: members.map((field) => ({
      field,
      previous: jsonOf(before[field]),
      current: jsonOf(after[field]),
    })),
  };
}

function jsonOf(value: unknown): string | null {
  return JSON.stringify(value) ?? null;
}

/** The stored record with the members of an update. `active` is derived anew where the update could change it. */
function mergedRecord(before: DomainRecord, { record, members }: RecordUpdate): DomainRecord {
  if (!members) return record;
  const { active: _active, ...others } = before;
  const kept = affectActive(members) ? others : before;
  const updated = Object.fromEntries(members.map((member) => [member, record[member]]));
  return withDerivedFields({ ...kept, ...updated, sources: { ...before.sources, ...record.sources } });
}

/** All records of an import have the time of their batch. */
let known = { ms: Number.NaN, text: '' };

function instant(ms: number): string {
  if (known.ms !== ms) known = { ms, text: new Date(ms).toISOString() };
  return known.text;
}

/** The earlier of two ISO instants; a text that is none counts as later. */
function earliest(one: string, other: string | undefined): string {
  if (other === undefined) return one;
  return Date.parse(other) < Date.parse(one) ? other : one;
}

/** Joins the updates of several collectors into as few as possible. */

import type { RecordMember } from '../../collect/collectors/collector.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { joinNormalised } from '../../model/record/normalise.ts';
import type { RecordUpdate } from '../../store/domain-store.ts';

/**
 * A collector that reports a member of an earlier collector enriches it (location and owner of an address). The update of the earlier one
 * then carries the enriched value, so that the history has one change, by the collector that saw it. Enriching never removes a value.
 */
export function mergeEnrichments(updates: readonly RecordUpdate[]): readonly RecordUpdate[] {
  const joined: RecordUpdate[] = [];
  for (const update of updates) {
    const left: RecordMember[] = [];
    for (const member of update.members ?? []) {
      const index = joined.findIndex(({ members }) => members?.includes(member));
      const earlier = joined[index];
      if (earlier) joined[index] = { ...earlier, record: withMember(earlier.record, member, update.record) };
      else left.push(member);
    }
    if (left.length > 0) joined.push({ ...update, members: left, record: only(update.record, left) });
  }
  return joined;
}

/** A new record is written as one update, because nothing in it has changed. Its first sighting is the discovery of the domain. */
export function asNewRecord(
  updates: readonly RecordUpdate[],
  discoveredMs: number | undefined,
): readonly RecordUpdate[] {
  const [first] = updates;
  if (!first) return updates;
  const { domain } = first.record;
  const seen = discoveredMs === undefined ? {} : { first_seen: new Date(discoveredMs).toISOString() };
  const members = updates.flatMap((update) => update.members ?? []);
  const made = joinNormalised([...updates.map(({ record }) => record), { domain, ...seen }]);
  // Too large for one update.
  if ('faults' in made) return updates;
  return [{ ...first, record: made.record, members }];
}

function withMember(record: DomainRecord, member: RecordMember, from: DomainRecord): DomainRecord {
  return from[member] === undefined ? record : { ...record, [member]: from[member] };
}

function only(record: DomainRecord, members: readonly RecordMember[]): DomainRecord {
  const { domain, active, sources = {} } = record;
  const values = Object.fromEntries(members.map((member) => [member, record[member]]));
  const ownSources = Object.fromEntries(
    Object.entries(sources).filter(([member]) => members.includes(member as RecordMember)),
  );
  return { domain, ...(active === undefined ? {} : { active }), ...values, sources: ownSources };
}

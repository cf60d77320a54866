/** What several collectors found in one round, made into as few updates as say the same. */
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { normalise } from '../../model/record/normalise.ts';
import type { RecordUpdate } from '../../store/domain-store.ts';
import type { RecordMember } from '../collectors/collector.ts';

/**
 * A collector that answers for a member of an earlier one finishes what that one found (where an address is, whose it is). The update of
 * the earlier one then carries the finished value, and the history knows one change by whoever saw it. To finish is never to take away.
 */
export function finished(updates: readonly RecordUpdate[]): readonly RecordUpdate[] {
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

/** A record that is new is written in one piece: nothing in it has changed. The domain is as old as its discovery. */
export function asOne(
  updates: readonly RecordUpdate[],
  discoveredMs: number | undefined,
): readonly RecordUpdate[] {
  const [first] = updates;
  if (!first) return updates;
  const seen = discoveredMs === undefined ? {} : { first_seen: new Date(discoveredMs).toISOString() };
  const members = updates.flatMap((update) => update.members ?? []);
  const all = Object.assign({}, ...updates.map(({ record }) => record)) as DomainRecord;
  const sources = Object.assign({}, ...updates.map(({ record }) => record.sources)) as object;
  // Whether it is active follows from all of them.
  const made = normalise({ ...all, ...seen, active: undefined, sources });
  // Too large for one.
  if ('faults' in made) return updates;
  return [{ ...first, record: made.record, members }];
}

function withMember(record: DomainRecord, member: RecordMember, from: DomainRecord): DomainRecord {
  return from[member] === undefined ? record : { ...record, [member]: from[member] };
}

function only(record: DomainRecord, members: readonly RecordMember[]): DomainRecord {
  const { domain, active, sources = {} } = record;
  const kept = Object.fromEntries(members.map((member) => [member, record[member]]));
  const said = Object.fromEntries(
    Object.entries(sources).filter(([member]) => members.includes(member as RecordMember)),
  );
  return { domain, ...(active === undefined ? {} : { active }), ...kept, sources: said };
}

/**
 * Turns the findings of a collector into an update of the record. An invalid member is left out and keeps its stored value, so that one bad value
 * never costs the others.
 */

import type { CollectorName, RecordMember } from '../../collect/collectors/collector.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { normaliseRecord } from '../../model/record/normalise.ts';
import type { RecordUpdate } from '../../store/domain-store.ts';

export interface Finding {
  readonly domain: string;
  readonly collector: CollectorName;
  readonly members: readonly RecordMember[];
  readonly part: Partial<DomainRecord>;
  readonly nowMs: number;
}

export interface FoundUpdate {
  /** Undefined when no member is valid. */
  readonly update: RecordUpdate | undefined;
  readonly dropped: readonly RecordMember[];
}

export function updateOf(finding: Finding): FoundUpdate {
  const { domain, collector, part, nowMs } = finding;
  let members = finding.members;
  const dropped: RecordMember[] = [];
  while (members.length > 0) {
    const at = new Date(nowMs).toISOString();
    const present = members.filter((member) => !isAbsent(part[member]));
    const values = Object.fromEntries(present.map((member) => [member, part[member]]));
    const sources = Object.fromEntries(present.map((member) => [member, { collector, at }]));
    const made = normaliseRecord({ ...values, domain, sources });
    if ('record' in made) {
      return { update: { record: made.record, members, source: collector, seenMs: nowMs }, dropped };
    }
    const invalid = invalidMember(made.faults, present, part);
    if (invalid === undefined) break;
    dropped.push(invalid);
    members = members.filter((member) => member !== invalid);
  }
  return { update: undefined, dropped };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** A fault begins with the path of its member; for a record that is too large it is the largest member. */
function invalidMember(
  faults: readonly string[],
  members: readonly RecordMember[],
  part: Partial<DomainRecord>,
): RecordMember | undefined {
  const named = members.find((member) =>
    faults.some((fault) => fault.startsWith(member) && '.[:'.includes(fault.charAt(member.length))),
  );
  if (named !== undefined || faults.some((fault) => fault.startsWith('domain:'))) return named;
  const sizes = members.map((member) => [JSON.stringify(part[member]).length, member] as const);
  return sizes.sort(([one], [other]) => other - one)[0]?.[1];
}

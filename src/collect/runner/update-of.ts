/**
 * What a collector found, as an update of the record. A member that is not as it must be is left out of the update, and the record keeps
 * what it had there: one odd value never costs the others.
 */
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { normalise } from '../../model/record/normalise.ts';
import type { RecordUpdate } from '../../store/domain-store.ts';
import type { CollectorName, RecordMember } from '../collectors/collector.ts';

export interface Finding {
  readonly domain: string;
  readonly collector: CollectorName;
  readonly members: readonly RecordMember[];
  readonly part: Partial<DomainRecord>;
  readonly nowMs: number;
}

export interface FoundUpdate {
  /** Undefined where nothing of it can be kept. */
  readonly update: RecordUpdate | undefined;
  readonly dropped: readonly RecordMember[];
}

export function updateOf(finding: Finding): FoundUpdate {
  const { domain, collector, part, nowMs } = finding;
  let members = finding.members;
  const dropped: RecordMember[] = [];
  while (members.length > 0) {
    const at = new Date(nowMs).toISOString();
    const there = members.filter((member) => !isNothing(part[member]));
    const said = Object.fromEntries(there.map((member) => [member, part[member]]));
    const sources = Object.fromEntries(there.map((member) => [member, { collector, at }]));
    const made = normalise({ ...said, domain, sources });
    if ('record' in made) {
      return { update: { record: made.record, members, source: collector, seenMs: nowMs }, dropped };
    }
    const wrong = wrongMember(made.faults, there, part);
    if (wrong === undefined) break;
    dropped.push(wrong);
    members = members.filter((member) => member !== wrong);
  }
  return { update: undefined, dropped };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Faults begin with the path of what they are about; a record that is too large is so by its largest member. */
function wrongMember(
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

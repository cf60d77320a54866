/** The resources of Detect on the wire: each with its schema, members in the order that clients expect. */
import { domainToUnicode } from 'node:url';
import { type Static, Type } from 'typebox';
import type { Escalation, Monitor, WatchlistDomain } from '../../../model/detect/watchlist.ts';
import { differencesBetween } from '../../../product/detect/monitor-files/plan-changes.ts';
import type { CountedMonitor } from '../../../store/monitor-store.ts';

export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Six decimals and a numeric offset: some clients parse nothing else. */
export function timeOnWire(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000+00:00`;
}

/** A label that is not valid punycode stays unchanged. */
export function nameOnWire(name: string): string {
  return domainToUnicode(name) || name;
}

export const MonitorOnWire = Type.Object(
  {
    term: Type.String(),
    match_substring_variations: Type.Boolean(),
    nameserver_exclusions: Type.Array(Type.String()),
    text_exclusions: Type.Array(Type.String()),
    id: Type.String(),
    created_date: Type.String(),
    updated_date: Type.String(),
    state: Type.String(),
    status: Type.String({ description: 'pending until all known names have been searched, then completed' }),
    created_by: Type.String(),
    passive_only: Type.Optional(
      Type.Boolean({
        description: 'beyond the contract: nothing is asked of the servers of what it matches; absent: false',
      }),
    ),
    searched: Type.Object(
      { names: Type.Integer(), of_names: Type.Integer() },
      { description: 'beyond the contract: progress of the search among known names' },
    ),
    declared: Type.Optional(
      Type.Object(
        { file: Type.String(), changed: Type.Array(Type.String()) },
        {
          description:
            'beyond the contract: the file of monitors as code that declares it, and its members that have changed since',
        },
      ),
    ),
    domain_counts: Type.Optional(
      Type.Object({
        new: Type.Integer(),
        watched: Type.Integer(),
        changed: Type.Integer(),
        escalated: Type.Integer(),
      }),
    ),
  },
  { title: 'Monitor' },
);

export function monitorOnWire(monitor: CountedMonitor): Static<typeof MonitorOnWire> {
  const { searched, counts } = monitor;
  return {
    term: monitor.term,
    match_substring_variations: monitor.matchSubstringVariations,
    nameserver_exclusions: [...monitor.nameserverExclusions],
    text_exclusions: [...monitor.textExclusions],
    id: monitor.id,
    created_date: timeOnWire(monitor.createdMs),
    updated_date: timeOnWire(monitor.updatedMs),
    state: monitor.state,
    status: monitor.status,
    created_by: monitor.createdBy,
    ...(monitor.passiveOnly ? { passive_only: true } : {}),
    searched: { names: searched.names, of_names: searched.ofNames },
    ...declaredOnWire(monitor),
    ...(counts ? { domain_counts: counts } : {}),
  };
}

/** Absent where no file declares the monitor. */
export function declaredOnWire(monitor: Monitor): { declared?: { file: string; changed: string[] } } {
  const { declared } = monitor;
  if (!declared) return {};
  const changed = differencesBetween(declared, monitor).map(({ setting }) => setting);
  return { declared: { file: declared.file, changed } };
}

export const TriagedOnWire = Type.Object(
  {
    state: Type.String(),
    domain: Type.String(),
    discovered_date: Type.String(),
    changed_date: NullableText,
    id: Type.String(),
    assigned_by: Type.Optional(Type.String()),
    assigned_date: Type.Optional(Type.String()),
  },
  { title: 'TriagedDomain' },
);

export function triagedOnWire(domain: WatchlistDomain): Static<typeof TriagedOnWire> {
  return {
    state: domain.state,
    domain: nameOnWire(domain.domain),
    discovered_date: timeOnWire(domain.discoveredMs),
    changed_date: domain.changedMs === undefined ? null : timeOnWire(domain.changedMs),
    id: domain.id,
    ...assignedOnWire(domain),
  };
}

export function assignedOnWire({ assigned }: WatchlistDomain) {
  return assigned ? { assigned_by: assigned.by, assigned_date: timeOnWire(assigned.atMs) } : {};
}

export const EscalationOnWire = Type.Object(
  {
    watchlist_domain_id: Type.String(),
    escalation_type: Type.String(),
    id: Type.String(),
    created_date: Type.String(),
    updated_date: Type.String(),
    created_by: Type.String(),
  },
  { title: 'Escalation' },
);

export function escalationOnWire(escalation: Escalation): Static<typeof EscalationOnWire> {
  return {
    watchlist_domain_id: escalation.domainId,
    escalation_type: escalation.type,
    id: escalation.id,
    created_date: timeOnWire(escalation.createdMs),
    updated_date: timeOnWire(escalation.updatedMs),
    created_by: escalation.createdBy,
  };
}

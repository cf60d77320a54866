/**
 * What a timeline shows: a row for each kind of event, then one for each value with the time in which it was in use. Domains of one row whose
 * times fall into one column are one dot with their number, so that five hundred are as readable as three.
 */
import type {
  CampaignLinkKind,
  CampaignMember,
  TimelineEvent,
  TimelineKind,
} from '../../../data/campaign/campaigns.ts';
import { type Foreign, plain } from '../../../data/foreign.ts';
import { columnOf, percentOf, type TimeAxis, timeAxis } from './time-axis.ts';

export interface Dot {
  readonly key: string;
  readonly column: number;
  /** Where in its column, from 0 to 1; of several, their middle. */
  readonly within: number;
  readonly domains: readonly Foreign[];
  readonly fromMs: number;
  readonly toMs: number;
}

export interface EventRow {
  readonly key: string;
  readonly kind: TimelineKind;
  readonly dots: readonly Dot[];
}

export interface ValueRow {
  readonly key: string;
  readonly by: CampaignLinkKind;
  readonly value: Foreign;
  /** When it was in use, as percentages of the axis. */
  readonly left: number;
  readonly width: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly dots: readonly Dot[];
}

export interface Rows {
  readonly axis: TimeAxis;
  readonly events: readonly EventRow[];
  readonly values: readonly ValueRow[];
}

/** In the order of the rows. */
const eventKinds: readonly TimelineKind[] = [
  'registered',
  'discovered',
  'joined',
  'sighted',
  'watched',
  'escalated',
  'ignored',
];

export interface RowLink {
  readonly by: CampaignLinkKind;
  readonly value: Foreign;
  readonly first_seen_date: string;
  readonly last_seen_date: string;
}

export interface TimelineData {
  readonly events: readonly Pick<TimelineEvent, 'date' | 'kind' | 'domain'>[];
  readonly links: readonly RowLink[];
  readonly members: readonly Pick<CampaignMember, 'domain' | 'first_seen_date' | 'links'>[];
}

interface Happening {
  readonly domain: Foreign;
  readonly ms: number;
}

/** Undefined where nothing happened. */
export function rowsOf({ events, links, members }: TimelineData, columns: number): Rows | undefined {
  const byKind = new Map<TimelineKind, Happening[]>();
  for (const { kind, domain, date } of events)
    if (domain !== undefined) append(byKind, kind, { domain, ms: Date.parse(date) });
  const uses = links.map(({ first_seen_date: first, last_seen_date: last }) => ({
    fromMs: Date.parse(first),
    toMs: Date.parse(last),
  }));
  const timesOf = (kinds: readonly TimelineKind[]) =>
    kinds.flatMap((kind) => byKind.get(kind)?.map(({ ms }) => ms) ?? []);
  const seen = members.map(({ first_seen_date: first }) => Date.parse(first));
  const core = [...timesOf(eventKinds.slice(1)), ...uses.flatMap(({ toMs }) => toMs), ...seen];
  const others = [...timesOf(['registered']), ...uses.map(({ fromMs }) => fromMs)];
  if (core.length + others.length === 0) return undefined;
  const axis = timeAxis(core, others, columns);
  const byValue = new Map<string, Happening[]>();
  for (const [index, member] of members.entries())
    for (const link of member.links)
      append(byValue, keyOf(link), { domain: member.domain, ms: seen[index] as number });
  return {
    axis,
    events: eventKinds.flatMap((kind) => {
      const happened = byKind.get(kind) ?? [];
      return happened.length === 0 ? [] : [{ key: kind, kind, dots: dotsOf(kind, happened, axis) }];
    }),
    values: links.map(({ by, value }, index) => {
      const key = keyOf({ by, value });
      const { fromMs, toMs } = uses[index] as (typeof uses)[number];
      const left = percentOf(fromMs, axis);
      const width = percentOf(toMs, axis) - left;
      return { key, by, value, left, width, fromMs, toMs, dots: dotsOf(key, byValue.get(key) ?? [], axis) };
    }),
  };
}

const keyOf = ({ by, value }: Pick<RowLink, 'by' | 'value'>): string => `${by} ${plain(value)}`;

function append<Key>(groups: Map<Key, Happening[]>, key: Key, one: Happening): void {
  const group = groups.get(key);
  if (group) group.push(one);
  else groups.set(key, [one]);
}

function dotsOf(row: string, happened: readonly Happening[], axis: TimeAxis): readonly Dot[] {
  const columns = Map.groupBy(happened, ({ ms }) => columnOf(ms, axis));
  return [...columns]
    .toSorted(([one], [other]) => one - other)
    .map(([column, group]) => {
      const sorted = group.toSorted((one, other) => one.ms - other.ms);
      const [fromMs, toMs] = [sorted[0]?.ms ?? 0, sorted.at(-1)?.ms ?? 0];
      const begin = axis.startMs + column * axis.columnMs;
      const within = Math.min(1, Math.max(0, ((fromMs + toMs) / 2 - begin) / axis.columnMs));
      return {
        key: `${row} ${column}`,
        column,
        within,
        domains: sorted.map(({ domain }) => domain),
        fromMs,
        toMs,
      };
    });
}

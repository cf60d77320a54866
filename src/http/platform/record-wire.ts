/**
 * Records on the wire. Values are wrapped, in Investigate with the number of other domains that have them. The counts of a
 * whole page are asked for at once.
 */
import { setImmediate } from 'node:timers/promises';
import { domainToUnicode } from 'node:url';
import { type SharedValue, valuesIn } from '../../model/record/attributes.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { type Layout, type Member, recordLayout } from '../../model/record/record-layout.ts';
import { shownRecord } from '../../model/record/shown-record.ts';
import type { DomainStore, Tag } from '../../store/domain-store.ts';
import type { WireRecord, Wrapping } from './record-schema.ts';

/** What of a record is shown, and to whom. */
export interface RecordView {
  readonly wrapping: Wrapping;
  readonly parsedWhois: boolean;
  readonly parsedRdap: boolean;
  /** Screenshots by punycode name; undefined where none are asked for. */
  readonly screenshotOf?: ((domain: string) => object | undefined) | undefined;
  readonly who: { readonly accountId: string; readonly userId: string };
  /** Where this server answers. */
  readonly serverUrl: string;
}

type PageStore = Pick<DomainStore, 'countsOf' | 'tagsOf'>;

/** How many domains have a value; undefined: values are shown without. */
type CountOf = ((attribute: string, value: string) => number) | undefined;

const recordsAtOnce = 10;

export async function recordsOnWire(
  records: readonly DomainRecord[],
  view: RecordView,
  domains: PageStore,
): Promise<readonly WireRecord[]> {
  const tags = await domains.tagsOf(
    records.map(({ domain }) => domain),
    view.who,
  );
  const ready: Members[] = [];
  for (const [index, record] of records.entries()) {
    if (index % recordsAtOnce === recordsAtOnce - 1) await setImmediate();
    ready.push(readyToShow(record, view, tags[index] ?? []));
  }
  const countOf = view.wrapping === 'counted' ? await countsOfPage(ready, domains) : undefined;
  const shown: WireRecord[] = [];
  for (const [index, members] of ready.entries()) {
    if (index % recordsAtOnce === recordsAtOnce - 1) await setImmediate();
    shown.push(onWire(members, recordLayout, countOf));
  }
  return shown;
}

type Members = Readonly<Record<string, unknown>>;

function readyToShow(record: DomainRecord, view: RecordView, tags: readonly Tag[]): Members {
  const { domain, first_seen, data_updated_timestamp } = record;
  return {
    ...shownRecord(record),
    // A label that looks like punycode and is none stays as it is.
    domain: domainToUnicode(domain) || domain,
    whois_url: `${view.serverUrl}/whois/${domain}`,
    first_seen: first_seen?.replace('.000Z', 'Z'),
    data_updated_timestamp: microseconds(data_updated_timestamp ?? first_seen ?? '1970-01-01T00:00:00.000Z'),
    tags: tags.map(({ label, scope, taggedMs }) => ({
      label,
      scope,
      tagged_at: new Date(taggedMs).toISOString(),
    })),
    screenshot: view.screenshotOf?.(domain),
    parsed_whois: view.parsedWhois ? (record.parsed_whois ?? {}) : undefined,
    parsed_domain_rdap: view.parsedRdap ? (record.parsed_domain_rdap ?? {}) : undefined,
  };
}

/** `…:04.567Z` as `…:04.567000`: clients parse six decimals and no zone. */
function microseconds(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, -1)}000`;
}

async function countsOfPage(page: readonly Members[], domains: PageStore): Promise<CountOf> {
  const places = new Map<string, number>();
  const wanted: SharedValue[] = [];
  for (const [index, members] of page.entries()) {
    if (index % recordsAtOnce === recordsAtOnce - 1) await setImmediate();
    for (const pair of valuesIn(members)) {
      const key = `${pair.attribute} ${pair.value}`;
      if (places.has(key)) continue;
      places.set(key, wanted.length);
      wanted.push(pair);
    }
  }
  const counts = await domains.countsOf(wanted);
  return (attribute, value) => counts[places.get(`${attribute} ${value}`) ?? -1] ?? 0;
}

function onWire(from: Members, layout: Layout, countOf: CountOf): WireRecord {
  const shown: Record<string, unknown> = {};
  for (const member of layout) {
    const made = memberOnWire(from[member.name], member, countOf);
    if (made !== undefined) shown[member.name] = made;
  }
  return shown;
}

function memberOnWire(held: unknown, member: Member, countOf: CountOf): unknown {
  switch (member.kind) {
    case 'plain':
      return held ?? member.unknown;
    case 'own':
      return wrapped(held ?? '', countOf && 0);
    case 'value':
      if (held === undefined && member.unknown === 'plain') return '';
      return wrapped(held ?? '', held === undefined ? countOf && 0 : others(member.attribute, held, countOf));
    case 'values':
      return ((held ?? []) as unknown[]).map((one) => wrapped(one, others(member.attribute, one, countOf)));
    case 'objects':
      return ((held ?? []) as Members[]).map((one) => onWire(one, member.members, countOf));
    case 'asked':
      return held === undefined ? undefined : onWire(held as Members, member.members, countOf);
    case 'object':
      return onWire((held ?? {}) as Members, member.members, countOf);
  }
}

function wrapped(value: unknown, count: number | undefined): object {
  return count === undefined ? { value } : { value, count };
}

/** Of the domains that have the value, those besides this one. */
function others(attribute: string, value: unknown, countOf: CountOf): number | undefined {
  return countOf && Math.max(0, countOf(attribute, String(value)) - 1);
}

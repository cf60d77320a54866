/**
 * Records on the wire. Values are wrapped, in Investigate with the number of other domains that have them. Values and counts are
 * met in the same order, that of the layout.
 */
import { setImmediate } from 'node:timers/promises';
import { domainToUnicode } from 'node:url';
import { partLayouts, recordParts } from '../../model/record/attributes.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { Layout, Member } from '../../model/record/record-layout.ts';
import { shownRecord } from '../../model/record/shown-record.ts';
import type { DomainStore, StoredRecord, Tag, ValueCounts } from '../../store/domain-store.ts';
import type { WireRecord, Wrapping } from './record-schema.ts';
import type { ScreenshotsOf } from './screenshot-wire.ts';

/** What of a record is shown, and to whom. */
export interface RecordView {
  readonly wrapping: Wrapping;
  readonly parsedWhois: boolean;
  readonly parsedRdap: boolean;
  /** Undefined where none are asked for. */
  readonly screenshotsOf?: ScreenshotsOf | undefined;
  readonly who: { readonly accountId: string; readonly userId: string };
  /** Where this server answers. */
  readonly serverUrl: string;
}

const recordsAtOnce = 10;

export interface ShownRecord {
  readonly record: DomainRecord;
  /** Of the parts that are shown; none where values are shown bare. */
  readonly counts: ValueCounts;
}

/** What was kept, taken apart one after another as it is shown. */
export function* readRecords(kept: readonly StoredRecord[]): Generator<ShownRecord> {
  for (const { json, counts } of kept) yield { record: JSON.parse(json) as DomainRecord, counts };
}

export async function recordsOnWire(
  records: Iterable<ShownRecord>,
  view: RecordView,
  domains: Pick<DomainStore, 'tagsOf'>,
): Promise<readonly WireRecord[]> {
  const shown: WireRecord[] = [];
  for (const group of inGroups(records)) {
    if (shown.length > 0) await setImmediate();
    const names = group.map(({ record }) => record.domain);
    const tags = await domains.tagsOf(names, view.who);
    const screenshots = await view.screenshotsOf?.(names);
    for (const [index, { record, counts }] of group.entries()) {
      const members = readyToShow(record, view, tags[index] ?? [], screenshots?.[index]);
      shown.push(partsOnWire(members, view.wrapping === 'counted' ? counts : undefined));
    }
  }
  return shown;
}

function* inGroups(records: Iterable<ShownRecord>): Generator<readonly ShownRecord[]> {
  let group: ShownRecord[] = [];
  for (const record of records) {
    group.push(record);
    if (group.length < recordsAtOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function partsOnWire(members: Members, counts: ValueCounts | undefined): WireRecord {
  const parts = recordParts.map((part) =>
    onWire(members, partLayouts[part], counts && new CountWalk(counts[part])),
  );
  return Object.assign({}, ...parts) as WireRecord;
}

/** Gives counts one after another, as values are met. */
class CountWalk {
  readonly #counts: Uint32Array;
  #at = 0;

  constructor(counts: Uint32Array = new Uint32Array(0)) {
    this.#counts = counts;
  }

  /** Of the domains that have the value, those besides this one. */
  othersWith(value: unknown): number {
    if (value === '') return 0;
    const count = this.#counts[this.#at] ?? 0;
    this.#at += 1;
    return Math.max(0, count - 1);
  }
}

type Members = Readonly<Record<string, unknown>>;

function readyToShow(
  record: DomainRecord,
  view: RecordView,
  tags: readonly Tag[],
  screenshot: object | undefined,
): Members {
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
    screenshot,
    parsed_whois: view.parsedWhois ? (record.parsed_whois ?? {}) : undefined,
    parsed_domain_rdap: view.parsedRdap ? (record.parsed_domain_rdap ?? {}) : undefined,
  };
}

/** `…:04.567Z` as `…:04.567000`: clients parse six decimals and no zone. */
function microseconds(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, -1)}000`;
}

function onWire(from: Members, layout: Layout, counts: CountWalk | undefined): WireRecord {
  const shown: Record<string, unknown> = {};
  for (const member of layout) {
    const made = memberOnWire(from[member.name], member, counts);
    if (made !== undefined) shown[member.name] = made;
  }
  return shown;
}

function memberOnWire(held: unknown, member: Member, counts: CountWalk | undefined): unknown {
  switch (member.kind) {
    case 'plain':
      return held ?? member.unknown;
    case 'own':
      return wrapped(held ?? '', counts && 0);
    case 'value':
      if (held === undefined && member.unknown === 'plain') return '';
      return wrapped(held ?? '', counts?.othersWith(held ?? ''));
    case 'values':
      return ((held ?? []) as unknown[]).map((one) => wrapped(one, counts?.othersWith(one)));
    case 'objects':
      return ((held ?? []) as Members[]).map((one) => onWire(one, member.members, counts));
    case 'asked':
      return held === undefined ? undefined : onWire(held as Members, member.members, counts);
    case 'object':
      return onWire((held ?? {}) as Members, member.members, counts);
  }
}

function wrapped(value: unknown, count: number | undefined): object {
  return count === undefined ? { value } : { value, count };
}

/**
 * Records on the wire. Values are wrapped, in Investigate with the number of other domains that have them. Counts are stored in
 * the order in which the layout visits the values.
 */

import { domainToUnicode } from 'node:url';
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import { partLayouts, recordParts } from '../../../model/record/attributes.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { Layout, Member } from '../../../model/record/record-layout.ts';
import { shownRecord } from '../../../model/record/shown-record.ts';
import type { Tag, TagReader } from '../../../store/domain/tag-store.ts';
import type { DomainStore, StoredRecord, ValueCounts } from '../../../store/domain-store.ts';
import type { WireRecord, Wrapping } from './record-schema.ts';
import type { FindScreenshots } from './screenshot-wire.ts';

/** Which parts of a record are included, and for which user. */
export interface RecordView {
  readonly wrapping: Wrapping;
  readonly parsedWhois: boolean;
  readonly parsedRdap: boolean;
  /** Undefined unless requested. */
  readonly findScreenshots?: FindScreenshots | undefined;
  /** Whose tags are included. */
  readonly viewer: TagReader;
  /** Where clients reach this server. */
  readonly serverUrl: string;
}

const recordsPerBatch = 10;

export interface ShownRecord {
  readonly record: DomainRecord;
  /** Of the included parts; empty where values are bare. */
  readonly counts: ValueCounts;
}

/** Parses stored records one at a time, as they are consumed. */
export function* readRecords(stored: readonly StoredRecord[]): Generator<ShownRecord> {
  for (const { json, counts } of stored) yield { record: JSON.parse(json) as DomainRecord, counts };
}

export async function recordsOnWire(
  records: Iterable<ShownRecord>,
  view: RecordView,
  domains: Pick<DomainStore, 'tagsOf'>,
): Promise<readonly WireRecord[]> {
  const shown: WireRecord[] = [];
  for (const batch of inBatches(records)) {
    if (shown.length > 0) await yieldToEventLoop();
    const names = batch.map(({ record }) => record.domain);
    const tags = await domains.tagsOf(names, view.viewer);
    const screenshots = await view.findScreenshots?.(names);
    for (const [index, { record, counts }] of batch.entries()) {
      const members = membersOf(record, view, tags[index] ?? [], screenshots?.[index]);
      shown.push(partsOnWire(members, view.wrapping === 'counted' ? counts : undefined));
    }
  }
  return shown;
}

function* inBatches(records: Iterable<ShownRecord>): Generator<readonly ShownRecord[]> {
  let batch: ShownRecord[] = [];
  for (const record of records) {
    batch.push(record);
    if (batch.length < recordsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function partsOnWire(members: Members, counts: ValueCounts | undefined): WireRecord {
  const parts = recordParts.map((part) =>
    onWire(members, partLayouts[part], counts && new CountCursor(counts[part])),
  );
  return Object.assign({}, ...parts) as WireRecord;
}

/** Reads counts in order, one for each value visited. */
class CountCursor {
  readonly #counts: Uint32Array;
  #index = 0;

  constructor(counts: Uint32Array = new Uint32Array(0)) {
    this.#counts = counts;
  }

  /** The number of other domains that have the value. */
  nextOthers(value: unknown): number {
    if (value === '') return 0;
    const count = this.#counts[this.#index] ?? 0;
    this.#index += 1;
    return Math.max(0, count - 1);
  }
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(
  record: DomainRecord,
  view: RecordView,
  tags: readonly Tag[],
  screenshot: object | undefined,
): Members {
  const { domain, first_seen, data_updated_timestamp, domain_risk } = record;
  return {
    ...shownRecord(record),
    // A label that is not valid punycode stays unchanged.
    domain: domainToUnicode(domain) || domain,
    whois_url: `${view.serverUrl}/whois/${domain}`,
    domain_risk: domain_risk && riskOnWire(domain_risk),
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

/** Members in one order: imports and scoring store them in different ones. */
function riskOnWire({ risk_score, components }: NonNullable<DomainRecord['domain_risk']>): object {
  return {
    risk_score,
    components: components.map(({ name, risk_score: score, threats, evidence }) => ({
      name,
      risk_score: score,
      ...(threats && { threats }),
      ...(evidence && { evidence }),
    })),
  };
}

/** `…:04.567Z` as `…:04.567000`: clients parse six decimals and no zone. */
function microseconds(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, -1)}000`;
}

function onWire(from: Members, layout: Layout, counts: CountCursor | undefined): WireRecord {
  const shown: Record<string, unknown> = {};
  for (const member of layout) {
    const made = memberOnWire(from[member.name], member, counts);
    if (made !== undefined) shown[member.name] = made;
  }
  return shown;
}

function memberOnWire(held: unknown, member: Member, counts: CountCursor | undefined): unknown {
  switch (member.kind) {
    case 'plain':
      return held ?? member.unknown;
    case 'own':
      return wrapped(held ?? '', counts && 0);
    case 'value':
      if (held === undefined && member.unknown === 'plain') return '';
      return wrapped(held ?? '', counts?.nextOthers(held ?? ''));
    case 'values':
      return ((held ?? []) as unknown[]).map((one) => wrapped(one, counts?.nextOthers(one)));
    case 'objects':
      return ((held ?? []) as Members[]).map((one) => onWire(one, member.members, counts));
    case 'optional':
      return held === undefined ? undefined : onWire(held as Members, member.members, counts);
    case 'object':
      return onWire((held ?? {}) as Members, member.members, counts);
  }
}

function wrapped(value: unknown, count: number | undefined): object {
  return count === undefined ? { value } : { value, count };
}

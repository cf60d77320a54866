/** Records on the wire, each as its JSON: `record-text.ts` writes it, here is what the view of a caller adds and replaces. */

import { domainToUnicode } from 'node:url';
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { computedMembers } from '../../../model/record/shown-record.ts';
import type { Tag, TagReader } from '../../../store/domain/tag-store.ts';
import type { DomainStore, StoredRecord, ValueCounts } from '../../../store/domain-store.ts';
import type { Wrapping } from './record-schema.ts';
import { recordWriter } from './record-text.ts';
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

/** Records whose tags and screenshots are read at once. */
const recordsPerBatch = 16;

export interface ShownRecord {
  readonly record: DomainRecord;
  /** Of the included parts; empty where values are bare. */
  readonly counts: ValueCounts;
}

/** Parses stored records one at a time, as they are consumed. */
export function* readRecords(stored: readonly StoredRecord[]): Generator<ShownRecord> {
  for (const { json, counts } of stored) yield { record: JSON.parse(json) as DomainRecord, counts };
}

interface RecordTexts {
  /** The JSON of each record. */
  readonly texts: readonly string[];
  /** When the first of their tags expires. */
  readonly validUntilMs: number;
}

/** Written in time slices. */
export async function recordTexts(
  records: Iterable<ShownRecord>,
  view: RecordView,
  domains: Pick<DomainStore, 'tagsOf'>,
): Promise<RecordTexts> {
  const texts: string[] = [];
  let validUntilMs = Number.POSITIVE_INFINITY;
  const slice = new TimeSlice();
  const write = writers[view.wrapping];
  for (const batch of inBatches(records)) {
    const names = batch.map(({ record }) => record.domain);
    const tags = await domains.tagsOf(names, view.viewer);
    for (const { expiresMs } of tags.flat()) validUntilMs = Math.min(validUntilMs, expiresMs ?? validUntilMs);
    const screenshots = await view.findScreenshots?.(names);
    for (const [index, { record, counts }] of batch.entries()) {
      const turn = slice.yieldIfOver();
      if (turn) await turn;
      texts.push(write(record, viewMembers(record, view, tags[index] ?? [], screenshots?.[index]), counts));
    }
  }
  return { texts, validUntilMs };
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

/** What is shown instead of the members of the stored record: the same names for every record. */
function viewMembers(
  record: DomainRecord,
  view: RecordView,
  tags: readonly Tag[],
  screenshot: object | undefined,
) {
  const { domain, first_seen, data_updated_timestamp, domain_risk } = record;
  return {
    ...computedMembers(record),
    domain: nameShown(domain),
    whois_url: `${view.serverUrl}/whois/${domain}`,
    domain_risk: domain_risk && riskOnWire(domain_risk),
    // In whole seconds: connectors of the field read no fraction.
    first_seen: first_seen?.replace(/\.\d+Z$/, 'Z'),
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

const writers = { bare: recordWriter('bare'), counted: recordWriter('counted') };

/** A label that is not valid punycode stays unchanged; a name without punycode needs no conversion. */
function nameShown(domain: string): string {
  return domain.includes('xn--') ? domainToUnicode(domain) || domain : domain;
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

/** As the store and our own clock write it. */
const isoInstant =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** `…:04.567Z` as `…:04.567000`: clients parse six decimals and no zone. */
function microseconds(iso: string): string {
  const instant = isoInstant.test(iso) ? iso : new Date(iso).toISOString();
  return `${instant.slice(0, -1)}000`;
}

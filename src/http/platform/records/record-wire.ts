/** Records on the wire: `record-bytes.ts` writes their JSON, here is what is replaced in it, and what the viewer adds. */

import { domainToUnicode } from 'node:url';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { computedMembers } from '../../../model/record/shown-record.ts';
import type { Tag, TagReader } from '../../../store/domain/tag-store.ts';
import type { DomainStore, ValueCounts } from '../../../store/domain-store.ts';
import { type CountedBytes, withCounts } from './counted-bytes.ts';
import { recordWriter } from './record-bytes.ts';
import type { Wrapping } from './record-schema.ts';
import type { FindScreenshots } from './screenshot-wire.ts';

/** What the JSON of a record depends on besides the record, for all viewers. */
export interface RecordForm {
  readonly wrapping: Wrapping;
  readonly parsedWhois: boolean;
  readonly parsedRdap: boolean;
  /** Where clients reach this server. */
  readonly serverUrl: string;
}

/** The JSON of a record without tags and screenshot: an empty list of tags is there, and a screenshot follows it. */
export interface FinishedRecord extends CountedBytes {
  /** In punycode. */
  readonly domain: string;
}

export interface RecordView {
  /** Undefined unless requested. */
  readonly findScreenshots?: FindScreenshots | undefined;
  /** Whose tags are included. */
  readonly viewer: TagReader;
}

/** Records whose tags and screenshots are read at once. */
const recordsPerBatch = 128;
const noTags = '[]';

interface ShownRecords {
  /** The JSON of each record. */
  readonly texts: readonly Buffer[];
  /** When the first of their tags expires. */
  readonly validUntilMs: number;
}

/** `counts` are those of the included parts; empty where values are bare. */
export function finishRecord(record: DomainRecord, counts: ValueCounts, form: RecordForm): FinishedRecord {
  const {
    bytes,
    tagsAt,
    counts: written,
  } = writers[form.wrapping](record, replacedMembers(record, form), counts);
  return { domain: record.domain, bytes, tagsAt, counts: written };
}

/** The same record with the counts of now; the same object where none is another. */
export function recountRecord(finished: FinishedRecord, counts: ValueCounts): FinishedRecord {
  const counted = withCounts(finished, counts);
  if (counted === finished) return finished;
  return { domain: finished.domain, bytes: counted.bytes, tagsAt: counted.tagsAt, counts: counted.counts };
}

export async function showRecords(
  records: readonly FinishedRecord[],
  view: RecordView,
  domains: Pick<DomainStore, 'tagsOf'>,
): Promise<ShownRecords> {
  const texts: Buffer[] = [];
  let validUntilMs = Number.POSITIVE_INFINITY;
  for (let from = 0; from < records.length; from += recordsPerBatch) {
    const batch = records.slice(from, from + recordsPerBatch);
    const names = batch.map(({ domain }) => domain);
    const tags = await domains.tagsOf(names, view.viewer);
    const screenshots = await view.findScreenshots?.(names);
    for (const [index, record] of batch.entries()) {
      const own = tags[index] ?? [];
      for (const { expiresMs } of own) validUntilMs = Math.min(validUntilMs, expiresMs ?? validUntilMs);
      texts.push(shownText(record, own, screenshots?.[index]));
    }
  }
  return { texts, validUntilMs };
}

function shownText({ bytes, tagsAt }: FinishedRecord, tags: readonly Tag[], screenshot: object | undefined) {
  if (tags.length === 0 && screenshot === undefined) return bytes;
  const tagText = JSON.stringify(
    tags.map(({ label, scope, taggedMs }) => ({
      label,
      scope,
      tagged_at: new Date(taggedMs).toISOString(),
    })),
  );
  const screenshotText = screenshot === undefined ? '' : `,"screenshot":${JSON.stringify(screenshot)}`;
  return Buffer.concat([
    bytes.subarray(0, tagsAt),
    Buffer.from(tagText + screenshotText),
    bytes.subarray(tagsAt + noTags.length),
  ]);
}

/** What is shown instead of the members of the stored record: the same names for every record. */
function replacedMembers(record: DomainRecord, form: RecordForm) {
  const { domain, first_seen, data_updated_timestamp, domain_risk } = record;
  return {
    ...computedMembers(record),
    domain: nameShown(domain),
    whois_url: `${form.serverUrl}/whois/${domain}`,
    domain_risk: domain_risk && riskOnWire(domain_risk),
    // In whole seconds: connectors of the field read no fraction.
    first_seen: first_seen?.replace(/\.\d+Z$/, 'Z'),
    data_updated_timestamp: microseconds(data_updated_timestamp ?? first_seen ?? '1970-01-01T00:00:00.000Z'),
    tags: [],
    screenshot: undefined,
    parsed_whois: form.parsedWhois ? (record.parsed_whois ?? {}) : undefined,
    parsed_domain_rdap: form.parsedRdap ? (record.parsed_domain_rdap ?? {}) : undefined,
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

/**
 * Labelled records from the shared data set, to train and evaluate the record model of the package: real bad domains with their
 * registration, and the ordinary domains available. `node tools/training-data/registered-records.ts > records.ndjson` prints the training
 * half. Ordinary registrations are few and old, so each kind of fact is compared with the ordinary domains for which it is known, and
 * both sides of each comparison have the same weight.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findBaseDomain } from '../../src/model/base-domain.ts';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import { parseWhois } from '../../src/model/registration/whois/parse-whois.ts';
import { type Threat, threats } from '../../src/model/risk/threat.ts';
import { readSamples } from '../../test/model/registration/sample-archive.ts';
import { isHeldOut } from '../risk-model/held-out.ts';
import type { LabelledRecord } from '../risk-model/record-rows.ts';

export const sharedData = join(import.meta.dirname, '../../../shared/data');

function linesOf(file: string): readonly string[] {
  return gunzipSync(readFileSync(join(sharedData, file)))
    .toString('latin1')
    .split('\n')
    .filter(Boolean);
}

const lists = new Map<Threat, ReadonlySet<string>>();

function namesOf(threat: Threat): ReadonlySet<string> {
  const known = lists.get(threat);
  const names =
    known ?? new Set(linesOf(`risk/${threat}.tsv.gz`).map((line) => line.split('\t', 1)[0] ?? ''));
  lists.set(threat, names);
  return names;
}

/** The training half, chosen by hash. */
export function isTrainedOn({ record }: LabelledRecord): boolean {
  let hash = 0x811c9dc5;
  for (const character of record.domain) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return ((hash ^ (hash >>> 15)) & 1) === 0;
}

interface BadEntry {
  readonly checked_at: string;
  readonly created: string | null;
  readonly registrar: string | null;
  readonly ns: readonly string[] | null;
}

/**
 * Unlisted domains are labelled phishing, as most are. The name model was trained on listed names, which would flatter it: of those, only
 * malware, for which there is no other source, and held-out names are used.
 */
export function badRecords(): readonly LabelledRecord[] {
  const file = gunzipSync(readFileSync(join(sharedData, 'risk/bad-domains-with-registration.json.gz')));
  const { entries } = JSON.parse(file.toString('utf8')) as { entries: Record<string, BadEntry> };
  return Object.entries(entries).flatMap(([domain, { checked_at, created, registrar, ns }]) => {
    const found = threats.filter((threat) => namesOf(threat).has(domain));
    const labels =
      found.length === 0
        ? (['phishing'] as const)
        : isHeldOut(domain)
          ? found
          : found.filter((threat) => threat === 'malware');
    if (labels.length === 0) return [];
    return [
      {
        record: {
          domain,
          ...(created === null ? {} : { create_date: created.slice(0, 10) }),
          ...(registrar === null ? {} : { registrar }),
          ...(ns === null ? {} : { name_server: serversOf(ns) }),
        },
        nowMs: Date.parse(checked_at),
        labels,
      },
    ];
  });
}

const hostName = /^(?:[a-z0-9_-]{1,63}\.)+(?!\d+$)[a-z0-9_-]{1,63}$/;

function serversOf(hosts: readonly string[]): { host: string }[] {
  const names = hosts.map((host) => host.toLowerCase().replace(/\.$/, ''));
  return [...new Set(names)].filter((host) => hostName.test(host)).map((host) => ({ host }));
}

const serverLine =
  /^\s*(?:name ?servers?|nserver|domain servers?|dns ?\d?)[^:\n]*:\s*([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gim;
const queriedLine = /last update of [^\n]*?(\d{4}-\d\d-\d\d)/i;
/** For records without a query date: the approximate date of the collection. */
const queriedOf: Readonly<Record<string, string>> = { likexian: '2020-06-01', joepie91: '2014-05-01' };

/** Brands' own names resemble the names that imitate them; in practice they are zero-listed. */
const brand = /^(?:google|git|github|alibaba|microsoft|amazon|aol|facebook|twitter|apple|paypal|yahoo)\./;

/** Real registrations of established, mostly old domains. */
export function whoisRecords(): readonly LabelledRecord[] {
  const files = readSamples(join(sharedData, 'whois/samples-with-parses.tar.gz'));
  const records = new Map<string, LabelledRecord>();
  for (const [path, bytes] of files) {
    const found = /^(?:\.\/)?(likexian|joepie91)\/(?:testdata\/noterror|data)\/([^/]+)$/.exec(path);
    if (!found || /\.(?:json|pre|md)$/i.test(path)) continue;
    const [, collection = '', file = ''] = found;
    const domain = file.replace(/^[^_]+_/, '').toLowerCase();
    const text = bytes.toString('utf8');
    const { registrar, create_date, expiration_date } = parseWhois(text);
    const ns = [...text.matchAll(serverLine)].map(([, host]) => host as string);
    if (
      findBaseDomain(domain) !== domain ||
      brand.test(domain) ||
      (!registrar && !create_date && ns.length === 0)
    )
      continue;
    const queried = queriedLine.exec(text)?.[1] ?? queriedOf[collection] ?? '';
    const record = {
      domain,
      ...(create_date ? { create_date } : {}),
      ...(expiration_date ? { expiration_date } : {}),
      ...(registrar ? { registrar } : {}),
      ...(ns.length > 1 ? { name_server: serversOf(ns) } : {}),
    };
    records.set(domain, { record, nowMs: Date.parse(queried), labels: 'good' });
  }
  return [...records.values()];
}

const comparedMs = Date.parse('2026-08-16T22:00:00Z');
const newPerMonth = 80;

/**
 * Ordinary registrations of two and a half years, the same number from each month, with only name and date. The name model was not
 * trained on any of them.
 */
export function newlyRegistered(): readonly LabelledRecord[] {
  const byMonth = new Map<string, string[]>();
  for (const line of linesOf('names/newly-registered.tsv.gz')) {
    const [name = '', day = ''] = line.split('\t', 2);
    if (!isHeldOut(name) || namesOf('phishing').has(name) || day > '2026-08-15') continue;
    const month = byMonth.get(day.slice(0, 7)) ?? [];
    byMonth.set(day.slice(0, 7), month);
    month.push(line);
  }
  return [...byMonth.values()].flatMap((lines) => {
    const step = Math.max(1, Math.floor(lines.length / newPerMonth));
    return lines
      .filter((_, at) => at % step === 0)
      .slice(0, newPerMonth)
      .map((line): LabelledRecord => {
        const [domain = '', create_date = ''] = line.split('\t', 2);
        return {
          record: { domain, create_date: create_date.slice(0, 10) },
          nowMs: comparedMs,
          labels: 'good',
        };
      });
  });
}

/** A real zone of ordinary domains with their name servers. */
export function zoneRecords(): readonly LabelledRecord[] {
  const servers = new Map<string, string[]>();
  for (const line of linesOf('zone/gov.zone.gz')) {
    const [name = '', , , type, host = ''] = line.split(/\s+/);
    const domain = name.toLowerCase().replace(/\.$/, '');
    if (type !== 'NS' || domain === 'gov') continue;
    servers.set(domain, [...(servers.get(domain) ?? []), host]);
  }
  return [...servers].map(([domain, hosts]) => ({
    record: { domain, name_server: serversOf(hosts) },
    nowMs: comparedMs,
    labels: 'good',
  }));
}

/** The records reduced to these members, without records that have none of them. */
function only(
  records: readonly LabelledRecord[],
  ...members: readonly (keyof DomainRecord)[]
): readonly LabelledRecord[] {
  return records.flatMap((labelled) => {
    const kept = members.filter((member) => labelled.record[member] !== undefined);
    if (kept.length === 0 && members.length > 0) return [];
    const record = Object.fromEntries(kept.map((member) => [member, labelled.record[member]]));
    return [{ ...labelled, record: { ...record, domain: labelled.record.domain } }];
  });
}

/** Distributes a total weight evenly over the records. */
function weighted(records: readonly LabelledRecord[], weight: number): readonly LabelledRecord[] {
  return records.map((record) => ({ ...record, weight: weight / records.length }));
}

/** The training records of the package's model, besides those of a simulated world. */
export function trainingRecords(): readonly LabelledRecord[] {
  const bad = badRecords().filter(isTrainedOn);
  const whois = whoisRecords().filter(isTrainedOn);
  const fresh = newlyRegistered().filter(isTrainedOn);
  const zone = zoneRecords().filter(isTrainedOn);
  const count = bad.length;
  return [
    ...weighted(only(bad, 'create_date'), count),
    ...weighted(fresh, count / 2),
    ...weighted(only(whois, 'create_date'), count / 2),
    ...weighted(only(bad, 'registrar', 'name_server'), count / 2),
    ...weighted(only(whois, 'registrar', 'name_server'), count / 2),
    ...weighted(only(bad, 'name_server'), count / 2),
    ...weighted(zone, count / 2),
    ...weighted(only(bad), count / 2),
    ...weighted(only(fresh), count / 2),
  ];
}

/** As `nameglass risk train --records` reads it. */
export function recordLine({ record, nowMs, labels, weight = 1 }: LabelledRecord): string {
  const observed = new Date(nowMs).toISOString();
  return JSON.stringify({
    ...record,
    labels: labels === 'good' ? ['good'] : labels,
    observed,
    weight: Number(weight.toFixed(4)),
  });
}

if (import.meta.main) for (const labelled of trainingRecords()) console.log(recordLine(labelled));

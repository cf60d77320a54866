/**
 * Labelled records out of the shared data, to train and measure the model of records that comes with the package: real bad domains with
 * their registration, and what there is of ordinary ones. `node scripts/registered-records.ts > records.ndjson` prints the half that
 * is trained on. Ordinary registrations are few, and old ones; so every kind of fact is compared with the ordinary domains of which it is
 * known, and of each comparison both sides weigh the same.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findBaseDomain } from '../src/model/base-domain.ts';
import type { DomainRecord } from '../src/model/record/domain-record.ts';
import { parseWhois } from '../src/model/registration/whois/parse-whois.ts';
import { type Threat, threats } from '../src/model/risk/threat.ts';
import { isHeldOut } from '../src/model/risk/train/held-out.ts';
import type { LabelledRecord } from '../src/model/risk/train/record-rows.ts';
import { readSamples } from '../test/model/registration/sample-archive.ts';

export const sharedData = join(import.meta.dirname, '../../shared/data');

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

/** Always the same half, whatever else there is. */
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
 * Those of no list are taken for phishing, as most are. Of those that are on a list the model of names knows the name, which would make it
 * look better than it is: of them only malware is taken, because there is no other, and what training on lists leaves out.
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
const askedLine = /last update of [^\n]*?(\d{4}-\d\d-\d\d)/i;
/** Where a record does not say when it was asked for: about when the collections were made. */
const askedOf: Readonly<Record<string, string>> = { likexian: '2020-06-01', joepie91: '2014-05-01' };

/** A great brand's own names look like those that imitate them; it is known to be good, and nobody judges it by its name. */
const brand = /^(?:google|git|github|alibaba|microsoft|amazon|aol|facebook|twitter|apple|paypal|yahoo)\./;

/** Real registrations of well-kept, mostly old domains. */
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
    const asked = askedLine.exec(text)?.[1] ?? askedOf[collection] ?? '';
    const record = {
      domain,
      ...(create_date ? { create_date } : {}),
      ...(expiration_date ? { expiration_date } : {}),
      ...(registrar ? { registrar } : {}),
      ...(ns.length > 1 ? { name_server: serversOf(ns) } : {}),
    };
    records.set(domain, { record, nowMs: Date.parse(asked), labels: 'good' });
  }
  return [...records.values()];
}

const comparedMs = Date.parse('2026-08-16T22:00:00Z');
const newPerMonth = 80;

/**
 * Ordinary registrations of two and a half years, as many of each month: nothing but name and day is known of them. None was trained on by
 * the model of names.
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

/** A real zone of ordinary domains, with who runs their name servers. */
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

/** Records with some members alone, of those that have one of them. */
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

/** Together they weigh as much as is said, each as much as another. */
function weighing(records: readonly LabelledRecord[], weight: number): readonly LabelledRecord[] {
  return records.map((record) => ({ ...record, weight: weight / records.length }));
}

/** What the model that comes with the package is trained on, besides records of a world. */
export function trainingRecords(): readonly LabelledRecord[] {
  const bad = badRecords().filter(isTrainedOn);
  const whois = whoisRecords().filter(isTrainedOn);
  const fresh = newlyRegistered().filter(isTrainedOn);
  const zone = zoneRecords().filter(isTrainedOn);
  const count = bad.length;
  return [
    ...weighing(only(bad, 'create_date'), count),
    ...weighing(fresh, count / 2),
    ...weighing(only(whois, 'create_date'), count / 2),
    ...weighing(only(bad, 'registrar', 'name_server'), count / 2),
    ...weighing(only(whois, 'registrar', 'name_server'), count / 2),
    ...weighing(only(bad, 'name_server'), count / 2),
    ...weighing(zone, count / 2),
    ...weighing(only(bad), count / 2),
    ...weighing(only(fresh), count / 2),
  ];
}

function lineOf({ record, nowMs, labels, weight = 1 }: LabelledRecord): string {
  const observed = new Date(nowMs).toISOString();
  return JSON.stringify({
    ...record,
    labels: labels === 'good' ? ['good'] : labels,
    observed,
    weight: Number(weight.toFixed(4)),
  });
}

if (import.meta.main) for (const labelled of trainingRecords()) console.log(lineOf(labelled));

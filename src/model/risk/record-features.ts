/**
 * What a record says besides its name, as short facts that a model can weigh: how young the registration is, who keeps it, where it
 * is hosted, whether there is mail, what the certificate and the web site are like. What is unknown is said too, because it is
 * unknown more often of bad domains. Each fact carries the contract's word for the evidence that it is.
 */

import { findBaseDomain } from '../base-domain.ts';
import type { DomainRecord } from '../record/domain-record.ts';
import { registrationOf } from '../record/registration.ts';
import { trackerMembers } from '../record/tracker-members.ts';

export type Evidence =
  | 'registrar'
  | 'registrant'
  | 'name server'
  | 'ip address'
  | 'mail'
  | 'certificate'
  | 'web site';

export interface RecordFact {
  readonly evidence: Evidence;
  /** A word for what it is and a value, as `asn 13335`. */
  readonly fact: string;
}

const dayMs = 86_400_000;
/** Ages in days are told by the first of these that is larger. */
const ageBounds = [1, 3, 7, 14, 30, 90, 180, 365, 730, 1825, 3650];
const valuesMax = 8;
const titleWordsMax = 12;
const valueCharactersMax = 60;

export function recordFacts(record: DomainRecord, nowMs: number): readonly RecordFact[] {
  return [
    ...registrationFacts(record, nowMs),
    ...hostingFacts(record),
    ...mailFacts(record),
    ...certificateFacts(record, nowMs),
    ...webFacts(record),
  ];
}

function registrationFacts(record: DomainRecord, nowMs: number): readonly RecordFact[] {
  const { registrar, create_date, expiration_date, registrar_status, registrant_org, registrant_contact } =
    registrationOf(record);
  return [
    fact('registrar', 'registrar', registrar),
    fact('registrar', 'age', ageOf(create_date, nowMs)),
    fact('registrar', 'term', termOf(create_date, expiration_date)),
    ...some('registrar', 'status', registrar_status),
    fact('registrant', 'organisation', registrant_org),
    fact('registrant', 'country', registrant_contact?.country),
  ];
}

function hostingFacts({ name_server, ip }: DomainRecord): readonly RecordFact[] {
  const operators = new Set((name_server ?? []).map(({ host }) => findBaseDomain(host) ?? host));
  const networks = new Set((ip ?? []).flatMap(({ asn }) => asn ?? []).map(String));
  const countries = new Set((ip ?? []).flatMap(({ country_code }) => country_code ?? []));
  return [
    ...some('name server', 'operator', [...operators]),
    ...some('ip address', 'asn', [...networks]),
    ...some('ip address', 'country', [...countries]),
    fact('ip address', 'addresses', String(Math.min(valuesMax, ip?.length ?? 0))),
  ];
}

function mailFacts({ mx, spf_info }: DomainRecord): readonly RecordFact[] {
  const operators = new Set((mx ?? []).map(({ host }) => findBaseDomain(host) ?? host));
  return [
    ...some('mail', 'exchange', [...operators]),
    fact('mail', 'spf', spf_info === undefined ? undefined : 'yes'),
  ];
}

function certificateFacts({ ssl_info }: DomainRecord, nowMs: number): readonly RecordFact[] {
  const newest = ssl_info?.toSorted((a, b) => (b.not_before ?? '').localeCompare(a.not_before ?? ''))[0];
  return [
    fact('certificate', 'issuer', newest?.issuer_common_name),
    fact('certificate', 'age', ageOf(newest?.not_before, nowMs)),
    fact('certificate', 'names', newest?.alt_names && String(Math.min(valuesMax, newest.alt_names.length))),
  ];
}

function webFacts(record: DomainRecord): readonly RecordFact[] {
  const words = record.website_title
    ?.toLowerCase()
    .match(/\p{L}{3,}/gu)
    ?.slice(0, titleWordsMax);
  const hasTracker = trackerMembers.some((member) => (record[member]?.length ?? 0) > 0);
  return [
    ...some('web site', 'title', words),
    fact(
      'web site',
      'response',
      record.website_response === undefined ? undefined : String(record.website_response),
    ),
    fact('web site', 'server', record.server_type),
    fact('web site', 'leads away', isElsewhere(record) ? 'yes' : undefined),
    fact('web site', 'tracker', hasTracker ? 'yes' : undefined),
  ];
}

function isElsewhere({ domain, redirect_domain }: DomainRecord): boolean {
  return redirect_domain !== undefined && redirect_domain !== '' && redirect_domain !== domain;
}

function some(
  evidence: Evidence,
  what: string,
  values: readonly string[] | undefined,
): readonly RecordFact[] {
  if (!values || values.length === 0) return [fact(evidence, what, undefined)];
  return values.slice(0, valuesMax).map((value) => fact(evidence, what, value));
}

function fact(evidence: Evidence, what: string, value: string | undefined): RecordFact {
  const told =
    value === undefined || value === '' ? 'unknown' : value.toLowerCase().slice(0, valueCharactersMax);
  return { evidence, fact: `${what} ${told}` };
}

/** Undefined where the day is unknown or no day. */
function ageOf(day: string | undefined, nowMs: number): string | undefined {
  const days = (nowMs - Date.parse(day ?? '')) / dayMs;
  if (Number.isNaN(days)) return undefined;
  const bound = ageBounds.find((least) => days < least);
  return bound === undefined ? 'more' : `under ${bound} days`;
}

function termOf(from: string | undefined, to: string | undefined): string | undefined {
  const years = Math.round((Date.parse(to ?? '') - Date.parse(from ?? '')) / (365 * dayMs));
  return Number.isNaN(years) ? undefined : `${Math.max(0, Math.min(10, years))} years`;
}

/** A certificate as members of the domain record. Its contents are untrusted: values may be odd, long or missing. */
import { hash, type X509Certificate } from 'node:crypto';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { truncateText } from '../truncate-text.ts';
import { altNamesOf } from './alt-names.ts';

type Certificate = NonNullable<DomainRecord['ssl_info']>[number];

/** As long as can be searched for. */
const subjectLengthMax = 1024;
const textLengthMax = 256;
/** Limits for the names of a certificate and for all certificates of a record. */
const namesBytesMax = 24_576;
const chainBytesMax = 65_536;

/** As many certificates as the record has room for, the leaf first. */
export function certificatesOf(chain: readonly X509Certificate[], seenMs: number): Certificate[] {
  let bytes = 0;
  return chain
    .map((certificate) => certificateOf(certificate, seenMs))
    .filter((certificate) => (bytes += Buffer.byteLength(JSON.stringify(certificate))) <= chainBytesMax);
}

function certificateOf(certificate: X509Certificate, seenMs: number): Certificate {
  const { subject, issuer, subjectaltname } = legacyOf(certificate);
  const { names, emails } = altNamesOf(subjectaltname);
  return {
    hash: hash('sha1', certificate.raw, 'hex'),
    // One RDN on each line; line ends inside values are escaped.
    ...some('subject', truncateText((certificate.subject ?? '').split('\n').join(', '), subjectLengthMax)),
    ...some('organization', firstText(subject?.['O'])),
    ...listed('email', [...textsOf(subject?.['emailAddress']), ...emails].map(lower)),
    ...listed('alt_names', withinBounds(names.map(lower))),
    sources: { active: seenMs },
    ...some('common_name', firstText(subject?.['CN'])),
    ...some('issuer_common_name', firstText(issuer?.['CN'])),
    ...some('not_before', dayOf(certificate.validFromDate)),
    ...some('not_after', dayOf(certificate.validToDate)),
  };
}

type Name = Readonly<Record<string, unknown>>;

interface Legacy {
  readonly subject?: Name;
  readonly issuer?: Name;
  readonly subjectaltname?: string;
}

/** An unsupported public key must not hide the other fields. */
function legacyOf(certificate: X509Certificate): Legacy {
  try {
    return certificate.toLegacyObject();
  } catch {
    return {};
  }
}

/** An attribute may be repeated. */
function textsOf(part: unknown): readonly string[] {
  return [part].flat().filter((text) => typeof text === 'string');
}

function firstText(part: unknown): string {
  return truncateText(textsOf(part)[0] ?? '', textLengthMax);
}

function lower(text: string): string {
  return truncateText(text.toLowerCase(), textLengthMax);
}

function withinBounds(names: readonly string[]): readonly string[] {
  let bytes = 0;
  return names.filter((name) => (bytes += Buffer.byteLength(name) + 3) <= namesBytesMax);
}

function dayOf(date: Date | undefined): string {
  const iso = date === undefined || Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(iso) ? iso.slice(0, 10) : '';
}

/** Empty values are left out. */
function some<Member extends string>(member: Member, text: string): { [Key in Member]?: string } {
  return (text.trim() === '' ? {} : { [member]: text }) as { [Key in Member]?: string };
}

function listed<Member extends string>(
  member: Member,
  texts: readonly string[],
): { [Key in Member]?: string[] } {
  const there = [...new Set(texts)].filter((text) => text.trim() !== '');
  return (there.length === 0 ? {} : { [member]: there }) as { [Key in Member]?: string[] };
}

/** The section of a report about one domain. */

import type { ManifestItem } from '../../../model/evidence/manifest.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { registrationOf } from '../../../model/record/registration.ts';
import type { ListedSubject } from '../make-pack.ts';
import type { SourceItem, SubjectFacts } from '../pack-facts.ts';
import { instant, plainText, unicodeName } from '../plain-text.ts';
import { redirectsOf } from '../redirects.ts';
import type { PdfPage } from './pdf-page.ts';
import { valueText } from './value-text.ts';

/** For the heading and the first picture. */
const pictureRoom = 420;
const [reasonsMax, changesMax, filesMax, certificatesMax, picturesMax] = [12, 40, 60, 5, 3];

/** `position`: among the domains of the report; empty for the only one. */
export function writeDomain(page: PdfPage, { subject, files }: ListedSubject, position: string): void {
  const { domain, risk, record } = subject;
  const unicode = unicodeName(domain);
  const registered = unicode === domain ? '' : `registered as ${domain}`;
  page.title(unicode, [registered, position].filter(Boolean).join(', '));
  page.table([1, 4], [], factsOf(subject, record));
  writeLookalikes(page, subject);
  page.heading(`Risk ${risk.score} of 100 (${risk.status})`);
  if (risk.reasons.length === 0) page.paragraph('No single reason counts for much.');
  page.table(
    [1, 9],
    [],
    risk.reasons
      .slice(0, reasonsMax)
      .map(({ points, reason, value = '' }) => [
        `${points > 0 ? '+' : ''}${Math.round(points)}`,
        value === '' ? reason : `${reason}: ${value}`,
      ]),
  );
  writeAbuseContacts(page, subject);
  writeWebSite(page, subject);
  writeCertificates(page, record);
  writePictures(page, subject.items);
  writeTimeline(page, subject);
  writeFiles(page, files, subject.leftOut);
}

function factsOf({ domain }: SubjectFacts, record: DomainRecord | undefined): readonly (readonly string[])[] {
  if (!record) return [['Record', `nothing is stored about ${domain}`]];
  const { registrar, create_date, expiration_date, registrar_status, registrant_org, registrant_name } =
    registrationOf(record);
  const addresses = (record.ip ?? []).map(({ address, asn = [], isp = '', country_code = '' }) =>
    [address, ...asn.map((number) => `AS${number}`), isp, country_code.toUpperCase()]
      .filter(Boolean)
      .join(' '),
  );
  const rows: (readonly [string, string | undefined])[] = [
    ['Registrar', registrar],
    ['Registrant', registrant_org ?? registrant_name],
    ['Registered', create_date],
    ['Expires', expiration_date],
    ['Status', registrar_status?.join(', ')],
    ['Addresses', addresses.slice(0, 8).join('; ')],
    [
      'Name servers',
      (record.name_server ?? [])
        .map(({ host }) => host)
        .slice(0, 8)
        .join(', '),
    ],
    [
      'Mail servers',
      (record.mx ?? [])
        .map(({ host }) => host)
        .slice(0, 8)
        .join(', '),
    ],
    ['Page title', record.website_title],
    ['HTTP status', record.website_response?.toString()],
    ['Redirects to', record.redirect],
    ['First seen', record.first_seen],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '');
}

/** `2026-03-01 10:00:00`; the report says that all times are in UTC. */
function readable(time: string): string {
  return time.replace('T', ' ').replace('Z', '');
}

function writeLookalikes(page: PdfPage, { lookalikes }: SubjectFacts): void {
  if (lookalikes.length === 0) return;
  page.heading('What the name imitates');
  page.table(
    [2, 2, 6],
    ['Term', 'Kind', 'Explanation'],
    lookalikes.map(({ term, class: kind, explanation }) => [term, kind, explanation]),
  );
}

function writeAbuseContacts(page: PdfPage, { abuseContacts }: SubjectFacts): void {
  page.heading('Abuse contacts');
  if (abuseContacts.length === 0) return page.paragraph('RDAP names none, or no RDAP answer was kept.');
  page.table(
    [4, 5, 2],
    ['Of', 'E-mail', 'Telephone'],
    abuseContacts.map(({ name, emails, phone }) => [name, emails.join(', '), phone]),
  );
}

function writeWebSite(page: PdfPage, { items }: SubjectFacts): void {
  const responses = redirectsOf(items);
  if (responses.length === 0) return;
  page.heading('Web responses and redirects');
  page.table(
    [3, 5, 1.4, 5],
    ['Last seen', 'URL', 'Status', 'Redirects to'],
    responses
      .slice(0, reasonsMax)
      .map(({ at, url, status, location }) => [readable(at), url, `${status}`, location]),
  );
}

function writeCertificates(page: PdfPage, record: DomainRecord | undefined): void {
  const certificates = record?.ssl_info ?? [];
  if (certificates.length === 0) return;
  page.heading('Certificates');
  page.table(
    [3, 3, 3, 5],
    ['Name', 'Issuer', 'Valid', 'SHA-1 of the certificate'],
    certificates
      .slice(0, certificatesMax)
      .map(({ hash, common_name = '', issuer_common_name = '', not_before = '', not_after = '' }) => [
        common_name,
        issuer_common_name,
        `${not_before} to ${not_after}`,
        hash,
      ]),
  );
}

function writePictures(page: PdfPage, items: readonly SourceItem[]): void {
  const pictures = items.filter(({ kind }) => kind === 'screenshot');
  if (pictures.length === 0) return;
  page.heading('Screenshots', pictureRoom);
  for (const { bytes, asked, firstMs, seenMs, address } of pictures.slice(0, picturesMax)) {
    const from = address === undefined ? '' : `, served by ${address}`;
    page.picture(bytes, `${asked}${from}; taken ${instant(firstMs)}, last seen unchanged ${instant(seenMs)}`);
  }
}

function writeTimeline(page: PdfPage, { timeline }: SubjectFacts): void {
  const changes = timeline
    .map(({ atMs, field, before, after, source }) => [
      readable(instant(atMs)),
      field.replaceAll('_', ' '),
      valueText(before),
      valueText(after),
      source,
    ])
    // What differs in details alone is in evidence.json.
    .filter(([, , before, after]) => before !== after);
  page.heading('Timeline');
  if (changes.length === 0) return page.paragraph('No change was recorded.');
  page.table([3, 3, 4, 4, 1.5], ['Time', 'What', 'Before', 'After', 'Source'], changes.slice(0, changesMax));
  if (changes.length > changesMax)
    page.paragraph(`${changes.length - changesMax} older changes are in evidence.json.`);
}

function writeFiles(page: PdfPage, files: readonly ManifestItem[], leftOut: number): void {
  page.heading('Files in this pack');
  if (files.length === 0) page.paragraph('No raw answers and no pictures are stored.');
  page.table(
    [2, 3, 9],
    files.length === 0 ? [] : ['Kind', 'Last seen', 'Server or URL, and SHA-256'],
    files
      .slice(0, filesMax)
      .map(({ kind, last_seen = '', asked = '', sha256, truncated = false }) => [
        truncated ? `${kind} (cut)` : kind,
        readable(last_seen),
        plainText(asked, 120),
        sha256,
      ]),
  );
  const more = Math.max(0, files.length - filesMax);
  if (more > 0) page.paragraph(`${more} more files are listed in manifest.json.`);
  if (leftOut > 0)
    page.paragraph(`${leftOut} older files were left out, because the pack would be too large.`);
}

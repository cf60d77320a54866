/** The report of a pack for people, as PDF: an overview of all domains, then a section for each of them. */

import { registrationOf } from '../../../model/record/registration.ts';
import type { ListedSubject } from '../make-pack.ts';
import type { PackFacts } from '../pack-facts.ts';
import { bothNames, instant } from '../plain-text.ts';
import { sharedValues } from '../shared-values.ts';
import { writeDomain } from './domain-section.ts';
import { PdfPage } from './pdf-page.ts';

export function makeReport(
  facts: PackFacts,
  listed: readonly ListedSubject[],
  fingerprint: string,
): Promise<Buffer> {
  const { id, madeMs, server, recipient, note, subjects } = facts;
  const names = subjects.map(({ domain }) => bothNames(domain));
  const subject = names.length === 1 ? (names[0] as string) : `${names[0]} and ${names.length - 1} more`;
  const page = new PdfPage(`Evidence report: ${subject}`, madeMs);
  page.title('Evidence report', subject);
  page.table(
    [1, 4],
    [],
    [
      ['Pack', id],
      ['Created', instant(madeMs)],
      ...(server === '' ? [] : [['Created by', `Nameglass at ${server}`]]),
      ...(recipient === '' ? [] : [['For', recipient]]),
      ...(note === '' ? [] : [['Note', note]]),
    ],
  );
  page.heading(subjects.length === 1 ? 'Domain' : `Domains (${subjects.length})`);
  page.table(
    [5, 1, 3, 2, 4],
    ['Name', 'Risk', 'Registrar', 'Registered', 'Abuse contact'],
    subjects.map(({ domain, risk, record, abuseContacts }) => {
      const { registrar = '', create_date = '' } = record ? registrationOf(record) : {};
      return [bothNames(domain), `${risk.score}`, registrar, create_date, abuseContacts[0]?.emails[0] ?? ''];
    }),
  );
  writeShared(page, subjects);
  page.heading('How to check this report');
  page.paragraph(
    'This report is part of a pack of files. All of them, this one included, are listed with their SHA-256 checksums in manifest.json, which is signed with the Ed25519 key of the installation that made it. VERIFY.txt says how to check that with openssl and sha256sum. The fingerprint of the key is',
  );
  page.code(fingerprint);
  page.paragraph(
    'Ask the sender for this fingerprint by another way than the one by which the pack arrived. All times are in UTC. Names that contain characters beyond ASCII are shown as they are seen, and as they are registered (punycode). Text from web pages and registries is quoted without invisible characters; the unchanged bytes are in the folder raw.',
  );
  for (const [at, one] of listed.entries()) {
    page.newPage();
    writeDomain(page, one, listed.length === 1 ? '' : `domain ${at + 1} of ${listed.length}`);
  }
  return page.finish(`Evidence pack ${id} · ${instant(madeMs)}`);
}

/** Why the domains are in one report. */
function writeShared(page: PdfPage, subjects: PackFacts['subjects']): void {
  const shared = sharedValues(subjects);
  if (shared.length === 0) return;
  page.heading('What the domains have in common');
  page.table(
    [3, 5, 2],
    ['What', 'Value', 'Domains'],
    shared.map(({ what, value, domains }) => [what, value, `${domains.length} of ${subjects.length}`]),
  );
}

/** What a person may write to the recipient of a pack. It is text to copy: nothing is sent from here. */
import type { RecipientKind } from '../../model/evidence/pack-limits.ts';
import type { EvidenceCase } from '../../store/evidence/case-store.ts';
import { bothNames, instant } from './plain-text.ts';

interface Letter {
  readonly subject: string;
  readonly text: string;
}

const requests: Readonly<Record<RecipientKind, string>> = {
  registrar:
    'You are the registrar of these domains. Please examine the evidence, and suspend them if you find that they break your terms or the rules of the registry (for generic top-level domains section 3.18 of the Registrar Accreditation Agreement). Please confirm receipt, and let us know what you decided.',
  'hosting-provider':
    'Your network serves these domains. Please examine the evidence, and disable access to the content if you find that it breaks your terms of use. Please preserve logs and account data for law enforcement, and let us know what you decided.',
  lawyer:
    'Please find enclosed what we have on record about these domains, for your assessment of the claims that we have and of the measures that you recommend.',
  'takedown-service':
    'Please take action against these domains on our behalf. The pack has what registrars and hosting providers usually ask for: screenshots, records of DNS and registration, certificates and redirects, with the time of each.',
  other: 'Please find enclosed what we have on record about these domains.',
};

export function letterFor(made: EvidenceCase, fingerprint: string): Letter {
  const { id, createdMs, domains, recipient, recipientName, hash } = made;
  const first = bothNames(domains[0] ?? '');
  const subject = `Evidence ${id.slice(0, 8)}: ${first}${domains.length > 1 ? ` and ${domains.length - 1} more` : ''}`;
  const text = `${recipientName === '' ? 'To whom it may concern' : `Dear ${recipientName}`},

this concerns the following domains:

${domains.map((domain) => `  ${bothNames(domain)}`).join('\n')}

${requests[recipient]}

The enclosed evidence pack ${id} was made at ${instant(createdMs)}. report.pdf is
for reading; VERIFY.txt says how to check that nothing was changed since.

  SHA-256 of the pack:    ${hash}
  Fingerprint of our key: ${fingerprint}

Kind regards
`;
  return { subject, text };
}

/** The record of the feed `domainrdap` without time and domain: the answers verbatim and the fields parsed from them. */

import type { FeedRecord } from '../../feed/feed.ts';
import { secondText } from '../../feed/second.ts';
import { addressesOf, entitiesOf, hostsOf, registrarOf, statusesOf } from './rdap-registration.ts';
import type { RdapDomain, RdapEntity } from './read-rdap-domain.ts';

export interface RdapAnswer {
  readonly source: 'registry' | 'registrar';
  readonly url: string;
  readonly atMs: number;
  readonly text: string;
  readonly domain: RdapDomain;
}

type RdapRecord = Omit<FeedRecord<'domainrdap'>, 'timestamp' | 'domain'>;
type ParsedFields = RdapRecord['parsed_record']['parsed_fields'];

/** Answers in order of request, the registry's first. */
export function rdapFeedRecord(domain: string, answers: readonly [RdapAnswer, ...RdapAnswer[]]): RdapRecord {
  const [registry, registrar] = answers;
  return {
    raw_record: {
      first_request_timestamp: timeOf(registry),
      requests: answers.map((answer) => ({
        data: answer.text.toWellFormed(),
        source_type: answer.source,
        timestamp: timeOf(answer),
        url: answer.url,
      })),
    },
    parsed_record: {
      parsed_fields: parsedFields(
        domain,
        answers.map((answer) => answer.domain),
      ),
      registrar_request_url: registrar?.url ?? null,
      registry_request_url: registry.url,
    },
  };
}

function timeOf({ atMs }: RdapAnswer): string {
  return secondText(Math.floor(atMs / 1000));
}

function parsedFields(domain: string, answers: readonly RdapDomain[]): ParsedFields {
  const first = <Value>(pick: (answer: RdapDomain) => Value | undefined) =>
    answers.map(pick).find((value) => value !== undefined);
  const listed = (pick: (answer: RdapDomain) => readonly string[]) =>
    answers.map(pick).find((list) => list.length > 0) ?? [];
  const contacts = contactsOf(answers);
  // The registrar describes itself better than the registry does.
  const registrar = registrarOf(answers.toReversed());
  const emails = addressesOf(answers);
  const classified = new Set(
    [...contacts, ...entitiesOf(registrar?.within ?? [])].flatMap(
      ({ contact }) => contact.contact()?.email ?? [],
    ),
  );
  const changed = first(({ events }) => events.get('last changed'));
  const expires = first(({ events }) => events.get('expiration'));
  const isSigned = first((answer) => answer.isSigned);
  return {
    conformance: [...new Set(answers.flatMap(({ conformance }) => conformance))],
    contacts: contacts.map(contactFields),
    creation_date: first(({ events }) => events.get('registration')) ?? '',
    ...(changed !== undefined && { last_changed_date: changed }),
    ...(expires !== undefined && { expiration_date: expires }),
    ...(isSigned !== undefined && { dnssec: { signed: isSigned } }),
    domain,
    domain_statuses: statusesOf(answers.toReversed()),
    emails,
    email_domains: hostsOf(emails),
    unclassified_emails: emails.filter((address) => !classified.has(address)),
    handle: answers[0]?.handle ?? '',
    links: answers.flatMap(({ links }) => links.map(({ href, rel }) => ({ href, rel }))),
    nameservers: [...listed(({ nameservers }) => nameservers)],
    registrar: registrarFields(registrar),
  };
}

/** From the last answer with contacts: the registrar is authoritative for them. */
function contactsOf(answers: readonly RdapDomain[]): RdapEntity[] {
  for (const { entities } of answers.toReversed()) {
    const own = entities.filter(({ roles }) => !roles.includes('registrar'));
    const contacts = entitiesOf(own).filter(({ contact }) => !contact.isEmpty);
    if (contacts.length > 0) return contacts;
  }
  return [];
}

function contactFields({ contact, handle, roles }: RdapEntity): ParsedFields['contacts'][number] {
  const found = contact.contact() ?? {};
  return {
    ...nameFields(contact, handle, roles),
    street: found.street ?? '',
    city: found.city ?? '',
    region: found.state ?? '',
    postal: found.postal ?? '',
    country: contact.first('country') ?? '',
  };
}

function nameFields(contact: RdapEntity['contact'], handle: string | undefined, roles: readonly string[]) {
  const [name = '', org, phone, fax] = [
    contact.first('name'),
    contact.first('org'),
    contact.first('phone'),
    contact.first('fax'),
  ];
  const email = contact.contact()?.email?.[0];
  return {
    name,
    ...(org !== undefined && { org }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone: phone.replace(/^tel:/i, '') }),
    ...(fax !== undefined && { fax: fax.replace(/^tel:/i, '') }),
    ...(handle !== undefined && { handle }),
    roles: [...roles],
  };
}

function registrarFields(registrar: RdapEntity | undefined): ParsedFields['registrar'] {
  const contacts = entitiesOf(registrar?.within ?? [])
    .filter(({ contact }) => !contact.isEmpty)
    .map(({ contact, handle, roles }) => ({ email: '', phone: '', ...nameFields(contact, handle, roles) }));
  return {
    name: registrar?.contact.first('org') ?? registrar?.contact.first('name') ?? '',
    ...(registrar?.ianaId !== undefined && { iana_id: registrar.ianaId }),
    ...(contacts.length > 0 && { contacts }),
  };
}

/** The registration data of a domain: the RDAP responses of registry and registrar, and what was parsed from them. */
import { Type } from 'typebox';
import { timestamp } from './domain-records.ts';

const text = Type.String();
const texts = Type.Array(Type.String());
const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const optional = Type.Optional(Type.String());

const Contact = Type.Object({
  name: text,
  org: optional,
  email: optional,
  phone: optional,
  fax: optional,
  street: text,
  city: text,
  region: text,
  postal: text,
  country: text,
  handle: optional,
  roles: texts,
});

const RegistrarContact = Type.Object({
  name: text,
  org: optional,
  email: text,
  phone: text,
  fax: optional,
  handle: optional,
  roles: texts,
});

const ParsedFields = Type.Object({
  conformance: texts,
  contacts: Type.Array(Contact),
  creation_date: text,
  last_changed_date: optional,
  expiration_date: optional,
  dnssec: Type.Optional(Type.Object({ signed: Type.Boolean() })),
  domain: text,
  domain_statuses: texts,
  emails: texts,
  email_domains: texts,
  unclassified_emails: texts,
  handle: text,
  links: Type.Array(Type.Object({ href: text, rel: text })),
  nameservers: texts,
  registrar: Type.Object({
    name: text,
    iana_id: optional,
    contacts: Type.Optional(Type.Array(RegistrarContact)),
  }),
});

const Request = Type.Object({
  data: Type.String({ description: 'the RDAP response, JSON as text' }),
  source_type: Type.Unsafe<'registry' | 'registrar'>({ type: 'string', enum: ['registry', 'registrar'] }),
  timestamp: text,
  url: text,
});

export const RdapRecord = Type.Object({
  timestamp,
  domain: text,
  raw_record: Type.Object({ first_request_timestamp: text, requests: Type.Array(Request) }),
  parsed_record: Type.Object({
    parsed_fields: ParsedFields,
    registrar_request_url: textOrNull,
    registry_request_url: text,
  }),
});

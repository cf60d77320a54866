/** Records of domains in the subsets that answers have. Empty members are left out. */
import type { Contact, DomainRecord } from '../../model/record/domain-record.ts';
import { registrationOf } from '../../model/record/registration.ts';
import { trackerMembers } from '../../model/record/tracker-members.ts';
import { threatComponent } from '../../model/risk/domain-risk.ts';
import { threats } from '../../model/risk/threat.ts';
import { countryCode, day, defined } from './plain-values.ts';
import { type Detail, fullDetail, thirdParties } from './third-parties.ts';

/** The names are those of the tools that answer with them. */
export const recordSubsets = ['evaluate', 'infrastructure', 'registration', 'website'] as const;
export type RecordSubset = (typeof recordSubsets)[number];

export type RecordRow = { readonly domain: string } & Readonly<Record<string, unknown>>;

const makers: Readonly<Record<RecordSubset, (record: DomainRecord, detail: Detail) => object>> = {
  evaluate: essentials,
  infrastructure,
  registration: registrationMembers,
  website,
};

export function recordRow(
  record: DomainRecord,
  subset: RecordSubset,
  detail: Detail = fullDetail,
): RecordRow {
  const score = record.domain_risk?.risk_score;
  return { domain: record.domain, ...defined({ risk_score: score }), ...makers[subset](record, detail) };
}

/** Everything that a record has. */
export function wholeRecord(record: DomainRecord, detail: Detail = fullDetail): RecordRow {
  const { admin_contact, technical_contact, billing_contact, additional_whois_email } =
    registrationOf(record);
  return {
    domain: record.domain,
    ...defined({ risk_score: record.domain_risk?.risk_score }),
    risk_components: componentsOf(record),
    ...dates(record),
    registration: registrationMembers(record, detail),
    ...defined({
      admin: contact(admin_contact, detail),
      technical: contact(technical_contact, detail),
      billing: contact(billing_contact, detail),
    }),
    infrastructure: infrastructure(record, detail),
    website: website(record, detail),
    ...thirdParties({ more_emails: additional_whois_email, ssl_emails: record.ssl_email }, detail),
  };
}

/** An imported record may have components of any name. */
const componentNames = ['proximity', 'threat_profile', ...threats.map(threatComponent), 'zerolist'];

function componentsOf({ domain_risk }: DomainRecord): Readonly<Record<string, number>> {
  const known = (domain_risk?.components ?? []).filter(({ name }) => componentNames.includes(name));
  return Object.fromEntries(known.map(({ name, risk_score }) => [name, risk_score]));
}

function essentials(record: DomainRecord, detail: Detail): object {
  return { ...dates(record), ...thirdParties({ registrar: registrationOf(record).registrar }, detail) };
}

function dates(record: DomainRecord): object {
  const { create_date, expiration_date } = registrationOf(record);
  return defined({
    active: record.active,
    created: day(create_date),
    expires: day(expiration_date),
    first_seen: day(record.first_seen),
    updated: day(record.data_updated_timestamp),
    popularity_rank: record.popularity_rank,
  });
}

function infrastructure(record: DomainRecord, detail: Detail): object {
  const { ip = [], name_server = [], mx = [], soa_email, spf_info } = record;
  const shown = ip.slice(0, detail.valuesMax).map(({ address, country_code, asn = [] }) => ({
    ip: address,
    ...defined({ country_code: countryCode(country_code) }),
    asn: asn.slice(0, detail.valuesMax),
  }));
  return {
    ...(ip.length === 0 ? {} : { address_count: ip.length, addresses: shown }),
    ...thirdParties(
      {
        isp: ip.flatMap(({ isp }) => isp ?? []),
        name_servers: name_server.map(({ host }) => host),
        mx: mx.map(({ host }) => host),
        soa_emails: soa_email,
        spf: spf_info,
        registrar: registrationOf(record).registrar,
      },
      detail,
    ),
  };
}

function registrationMembers(record: DomainRecord, detail: Detail): object {
  const { create_date, expiration_date, registrar, registrar_status, registrant_contact, ...rest } =
    registrationOf(record);
  const { country, city, street, state, postal, phone, fax, email } = registrant_contact ?? {};
  return {
    ...defined({ created: day(create_date), expires: day(expiration_date) }),
    ...thirdParties(
      {
        registrar,
        status: registrar_status,
        registrant_name: rest.registrant_name,
        registrant_org: rest.registrant_org,
        country,
        city,
        street,
        state,
        postal,
        phone,
        fax,
        emails: email,
      },
      detail,
    ),
  };
}

function website(record: DomainRecord, detail: Detail): object {
  const certificates = record.ssl_info ?? [];
  return {
    ...defined({ response: record.website_response }),
    ...(certificates.length === 0
      ? {}
      : {
          certificate_count: certificates.length,
          certificates: certificates.slice(0, detail.valuesMax).map(({ hash, not_before, not_after }) => ({
            sha1: hash,
            ...defined({ not_before: day(not_before), not_after: day(not_after) }),
          })),
        }),
    ...thirdParties(
      {
        title: record.website_title,
        server: record.server_type,
        redirect: record.redirect,
        certificate_subjects: certificates.flatMap(
          ({ common_name, subject }) => common_name ?? subject ?? [],
        ),
        certificate_issuers: certificates.flatMap(({ issuer_common_name }) => issuer_common_name ?? []),
        certificate_organizations: certificates.flatMap(({ organization }) => organization ?? []),
        tracker_codes: trackerMembers.flatMap((member) => record[member] ?? []),
      },
      detail,
    ),
  };
}

function contact(of: Contact | undefined, detail: Detail): object | undefined {
  if (!of) return undefined;
  const { email, ...fields } = of;
  return thirdParties({ ...fields, emails: email }, detail);
}

/** The sections that come from the record: registration, hosting, website. */
import { dayMs } from '../../../model/durations.ts';
import type { Contact, DomainRecord } from '../../../model/record/domain-record.ts';
import { registrationOf } from '../../../model/record/registration.ts';
import { trackerMembers } from '../../../model/record/tracker-members.ts';
import { countryCode, day, defined, instantOfMs } from '../plain-values.ts';
import { thirdParties } from '../third-parties.ts';
import type { Dossier } from './dossier.ts';
import type { DossierFacts } from './dossier-facts.ts';
import type { DossierDetail } from './make-dossier.ts';

export function registrationSection(
  { record, nowMs }: DossierFacts,
  detail: DossierDetail,
): NonNullable<Dossier['registration']> {
  const registration = record ? registrationOf(record) : {};
  const { create_date, expiration_date, registrant_contact: registrant } = registration;
  const [created, expires] = [day(create_date), day(expiration_date)];
  const ageDays = created === undefined ? undefined : Math.floor((nowMs - Date.parse(created)) / dayMs);
  return {
    ...defined({ created, expires, age_days: ageDays }),
    ...thirdParties(
      {
        registrar: registration.registrar,
        status: registration.registrar_status,
        registrant_name: registration.registrant_name,
        registrant_org: registration.registrant_org,
        registrant_country: registrant?.country,
        emails: emailsOf(record, [
          registrant,
          registration.admin_contact,
          registration.technical_contact,
          registration.billing_contact,
        ]),
      },
      detail,
    ),
  };
}

function emailsOf(record: DomainRecord | undefined, contacts: readonly (Contact | undefined)[]): string[] {
  const registered = contacts.flatMap((contact) => contact?.email ?? []);
  return [...registered, ...(record?.soa_email ?? []), ...(record?.ssl_email ?? [])];
}

export function hostingSection(
  record: DomainRecord | undefined,
  detail: DossierDetail,
): NonNullable<Dossier['hosting']> {
  const { ip = [], name_server = [], mx = [], spf_info } = record ?? {};
  return {
    address_count: ip.length,
    addresses: ip.slice(0, detail.rowsMax).map(({ address, country_code, asn = [] }) => ({
      ip: address,
      ...defined({ country_code: countryCode(country_code) }),
      asn: asn.slice(0, detail.valuesMax),
    })),
    name_server_count: name_server.length,
    mx_count: mx.length,
    ...thirdParties(
      {
        isp: ip.flatMap(({ isp }) => isp ?? []),
        name_servers: name_server.map(({ host }) => host),
        mx: mx.map(({ host }) => host),
        spf: spf_info,
      },
      detail,
    ),
  };
}

export function websiteSection(
  { record, picture, domain }: DossierFacts,
  detail: DossierDetail,
): NonNullable<Dossier['website']> {
  const certificates = record?.ssl_info ?? [];
  const { state = 'none', atMs, hash } = picture ?? {};
  return {
    ...defined({ response: record?.website_response }),
    certificate_count: certificates.length,
    certificates: certificates.slice(0, Math.ceil(detail.rowsMax / 2)).map((certificate) => ({
      sha1: certificate.hash,
      ...defined({ not_before: day(certificate.not_before), not_after: day(certificate.not_after) }),
      other_names: (certificate.alt_names ?? []).filter((name) => name !== domain && name !== `*.${domain}`)
        .length,
      ...thirdParties(
        {
          common_name: certificate.common_name,
          organization: certificate.organization,
          issuer: certificate.issuer_common_name,
        },
        detail,
      ),
    })),
    screenshot: {
      state,
      ...defined({ at: atMs === undefined ? undefined : instantOfMs(atMs), perceptual_hash: hash }),
    },
    ...thirdParties(
      {
        title: record?.website_title,
        server: record?.server_type,
        redirect: record?.redirect,
        tracker_codes: trackerMembers.flatMap((member) => record?.[member] ?? []),
      },
      detail,
    ),
  };
}

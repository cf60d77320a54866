/**
 * Extracts the links of a domain: values of its record that unrelated domains rarely share. Placeholders of registries and privacy
 * services, and e-mail addresses of registrars, would link unrelated domains and are omitted.
 */
import { findBaseDomain } from '../../base-domain.ts';
import type { DomainRecord, Registration } from '../../record/domain-record.ts';
import { fold } from '../../record/fold.ts';
import { registrationOf } from '../../record/registration.ts';
import { trackerMembers } from '../../record/tracker-members.ts';
import { isDisclosed } from '../../registration/disclosed.ts';
import type { Link, LinkKind } from './link.ts';
import { findNamingPattern } from './naming-pattern.ts';

const linksMax = 40;
/** Of one attribute: more values mean shared hosting, or an attempt to be linked to everything. */
const valuesMax = 6;
const valueCharactersMax = 256;

/** The strongest first, because the number is limited. */
export function linksOf(record: DomainRecord | undefined, domain: string): readonly Link[] {
  const pattern = findNamingPattern(domain);
  const links = [
    ...(record ? linksOfRecord(record) : []),
    ...(pattern === undefined ? [] : [{ kind: 'naming-pattern', value: pattern } as const]),
  ];
  return links.length > linksMax ? [...links.slice(0, linksMax - 1), links.at(-1) as Link] : links;
}

function linksOfRecord(record: DomainRecord): readonly Link[] {
  const registration = registrationOf(record);
  const { ip = [], name_server = [], ssl_info = [], soa_email = [] } = record;
  const servers = name_server.slice(0, valuesMax);
  return [
    ...ownerLinks(registration),
    ...linksFrom(
      'certificate',
      'ssl_info.hash',
      newestOf(ssl_info.filter((one) => isFor(one, record.domain))),
    ),
    ...uniqueTrackers.flatMap((member) => linksFrom('tracker', member, textsOf(record[member]))),
    ...linksFrom('name-server', 'name_server.host', hostsOf(servers)),
    ...linksFrom('name-server', 'name_server.domain', operatorsOf(servers)),
    ...linksFrom('e-mail', 'soa_email', soa_email),
    ...linksFrom('address', 'ip.address', addressesOf(ip)),
    ...linksFrom('registrar', 'registrar', textsOf(registration.registrar)),
    ...linksFrom('network', 'ip.asn', networksOf(ip)),
  ];
}

/** Self-hosted analytics number their sites from 1, so their codes are not unique. */
const uniqueTrackers = trackerMembers.filter((member) => member !== 'selfhosted_analytics_codes');

type Of<Member extends keyof DomainRecord> = NonNullable<DomainRecord[Member]>;

const addressesOf = (ip: Of<'ip'>) => ip.map(({ address }) => address);
const networksOf = (ip: Of<'ip'>) => ip.flatMap(({ asn = [] }) => asn).map(String);
const hostsOf = (servers: Of<'name_server'>) => servers.map(({ host }) => host);
const operatorsOf = (servers: Of<'name_server'>) =>
  servers.flatMap(({ host, domain }) => domain ?? findBaseDomain(host) ?? []);

/** Excludes intermediate and shared certificates, which do not name the domain. */
function isFor({ alt_names = [], common_name = '' }: Of<'ssl_info'>[number], domain: string): boolean {
  return [common_name, ...alt_names].some((name) => name === domain || name.endsWith(`.${domain}`));
}

function newestOf(certificates: Of<'ssl_info'>): readonly string[] {
  const latestFirst = certificates.toSorted((a, b) => ((a.not_before ?? '') < (b.not_before ?? '') ? 1 : -1));
  return latestFirst.map(({ hash }) => hash);
}

function ownerLinks(registration: Registration): readonly Link[] {
  const { registrant_name, registrant_org, registrar = '' } = registration;
  const seller = lettersOf(registrar);
  const contactRoles = ['registrant_contact', 'admin_contact', 'technical_contact'] as const;
  return [
    ...linksFrom('registrant', 'registrant_name', textsOf(registrant_name).filter(isPersonOrCompany)),
    ...linksFrom('registrant', 'registrant_org', textsOf(registrant_org).filter(isPersonOrCompany)),
    ...contactRoles.flatMap((role) => {
      const own = (registration[role]?.email ?? []).filter((address) => isOwnAddress(address, seller));
      return linksFrom('e-mail', `${role}.email`, own);
    }),
  ];
}

const privacy =
  /privacy|private|proxy|whois|redact|withheld|protect|anonym|masked|gdpr|not disclosed|data ?protected/i;
/** Names of roles, which every company has. */
const office =
  /^(?:the )?(?:domain|domains|dns|host|hosting|web|it|tech|technical|admin|administrative)?[ -]?(?:admin|administrator|manager|master|owner|contact|department|team|support|registrant)$/i;

function isPersonOrCompany(name: string): boolean {
  return isDisclosed(name) && !privacy.test(name) && !office.test(name.trim());
}

const sellerLettersMin = 4;

/** False for addresses of the registrar, abuse addresses and privacy services. */
function isOwnAddress(address: string, seller: string): boolean {
  const at = address.lastIndexOf('@');
  if (at < 1 || privacy.test(address) || address.startsWith('abuse')) return false;
  const label = lettersOf((findBaseDomain(address.slice(at + 1)) ?? '').split('.', 1)[0] ?? '');
  return label.length < sellerLettersMin || !seller.includes(label);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function textsOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** Values that folding does not change, which is nearly all. */
const plain = /^[!-@[-~]+$/;

/** One link for each distinct value. */
function linksFrom(kind: LinkKind, attribute: string, values: readonly string[]): readonly Link[] {
  const links: Link[] = [];
  for (const written of values) {
    if (links.length === valuesMax) break;
    if (written.length > valueCharactersMax) continue;
    const value = plain.test(written) ? written : fold(written);
    if (value !== '' && links.every((link) => link.value !== value)) links.push({ kind, attribute, value });
  }
  return links;
}

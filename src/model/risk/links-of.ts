/**
 * The links of a domain: values of its record that few others have unless they have something to do with it. What a registry or a
 * service of privacy writes in place of a value, and addresses that belong to a registrar, join strangers and are left out.
 */
import { findBaseDomain } from '../base-domain.ts';
import type { DomainRecord, Registration } from '../record/domain-record.ts';
import { fold } from '../record/fold.ts';
import { registrationOf } from '../record/registration.ts';
import { trackerMembers } from '../record/tracker-members.ts';
import { isDisclosed } from '../registration/disclosed.ts';
import type { Link, LinkKind } from './link.ts';
import { findNamingPattern } from './naming-pattern.ts';

const linksMax = 40;
/** Of one attribute: whoever has more is shared hosting, or wants to be found near everybody. */
const valuesMax = 6;
const valueCharactersMax = 256;

/** Those that say most come first, because there is an end. */
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
    ...some('certificate', 'ssl_info.hash', newestOf(ssl_info.filter((one) => isFor(one, record.domain)))),
    ...trackersOfOne.flatMap((member) => some('tracker', member, textsOf(record[member]))),
    ...some('name-server', 'name_server.host', hostsOf(servers)),
    ...some('name-server', 'name_server.domain', operatorsOf(servers)),
    ...some('e-mail', 'soa_email', soa_email),
    ...some('address', 'ip.address', addressesOf(ip)),
    ...some('registrar', 'registrar', textsOf(registration.registrar)),
    ...some('network', 'ip.asn', networksOf(ip)),
  ];
}

/** Who counts visitors with a server of his own counts sites from one on, as others do. */
const trackersOfOne = trackerMembers.filter((member) => member !== 'selfhosted_analytics_codes');

type Of<Member extends keyof DomainRecord> = NonNullable<DomainRecord[Member]>;

const addressesOf = (ip: Of<'ip'>) => ip.map(({ address }) => address);
const networksOf = (ip: Of<'ip'>) => ip.flatMap(({ asn = [] }) => asn).map(String);
const hostsOf = (servers: Of<'name_server'>) => servers.map(({ host }) => host);
const operatorsOf = (servers: Of<'name_server'>) =>
  servers.flatMap(({ host, domain }) => domain ?? findBaseDomain(host) ?? []);

/** Whoever issued it has a certificate too, which is everybody's. */
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
  const people = ['registrant_contact', 'admin_contact', 'technical_contact'] as const;
  return [
    ...some('registrant', 'registrant_name', textsOf(registrant_name).filter(isSomebody)),
    ...some('registrant', 'registrant_org', textsOf(registrant_org).filter(isSomebody)),
    ...people.flatMap((who) => {
      const own = (registration[who]?.email ?? []).filter((address) => isOwn(address, seller));
      return some('e-mail', `${who}.email`, own);
    }),
  ];
}

const privacy =
  /privacy|private|proxy|whois|redact|withheld|protect|anonym|masked|gdpr|not disclosed|data ?protected/i;
/** Names of an office, which every company has. */
const office =
  /^(?:the )?(?:domain|domains|dns|host|hosting|web|it|tech|technical|admin|administrative)?[ -]?(?:admin|administrator|manager|master|owner|contact|department|team|support|registrant)$/i;

function isSomebody(name: string): boolean {
  return isDisclosed(name) && !privacy.test(name) && !office.test(name.trim());
}

const sellerLettersMin = 4;

/** Addresses of the registrar, for abuse, or of a service that hides others are nobody's own. */
function isOwn(address: string, seller: string): boolean {
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

/** Folded already, as nearly all values are. */
const plain = /^[!-@[-~]+$/;

/** Each value once. */
function some(kind: LinkKind, attribute: string, values: readonly string[]): readonly Link[] {
  const links: Link[] = [];
  for (const written of values) {
    if (links.length === valuesMax) break;
    if (written.length > valueCharactersMax) continue;
    const value = plain.test(written) ? written : fold(written);
    if (value !== '' && links.every((link) => link.value !== value)) links.push({ kind, attribute, value });
  }
  return links;
}

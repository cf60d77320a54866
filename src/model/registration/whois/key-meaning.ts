/**
 * The meaning of WHOIS keys across registries: a date, a status, or a field of a contact. Most keys consist of a role and a field
 * ("Admin Contact Phone Number", `registrant_email`), each with its own table.
 */
import type { ContactField } from '../contact-draft.ts';

export type Role = 'registrant' | 'admin' | 'technical' | 'billing' | 'registrar' | 'none';

export type Meaning =
  | {
      readonly is:
        | 'created'
        | 'expires'
        | 'status'
        | 'state'
        | 'domain'
        | 'contact'
        | 'host'
        | 'whois-server';
    }
  /** Creation date of the surrounding object, which may be a contact. */
  | { readonly is: 'created-here' }
  | { readonly is: 'role'; readonly role: Role }
  | {
      readonly is: 'field';
      readonly role?: Role;
      readonly field: ContactField | 'handle' | 'given-name' | 'family-name';
    };

type Fact = Extract<Meaning, { readonly is: string }>['is'];

const facts: Readonly<Partial<Record<Fact, readonly string[]>>> = {
  created: keys(`
    creation date, created on, created date, create date, registration date, registered date, date
    registered, registration time, record created, record created on, record creation date, domain created,
    domain created on, domain registered, domain registration date, domain name commencement date,
    commencement date, first registration date, entry created, registration, domain create date, domain
    creation date, domain record activated, activated, activation date, domain registered on, created at,
    date created, domain dateregistered, domain datecreated, registered since, domain registered since,
    first registered, registrado, data de registo, fecha de registro, 登録年月日, 등록일, registered on, creation
    time, original created, domain activated, domain name registered, delegated date, reg date, registration
    start
  `),
  'created-here': ['created', 'registered', 'date'],
  expires: keys(`
    registry expiry date, registrar registration expiration date, registrar expiration date, expiration
    date, expiry date, expires, expires on, expires at, expire date, expire, expiry, exp date, expiration
    time, expiration, paid till, valid until, validity, renewal date, renewal, domain expiration date,
    domain expiry date, domain expires, domain expires on, domain currently expires, record expires, record
    expires on, record will expire on, record expiration date, expire on, expired date, registration
    expiration, registration expires, registration expiry date, registration ends, domain datebilleduntil,
    domain billed until, date of expiration, valid date, due date, renewal due, will expire on, data de
    expiracao, 有効期限, 사용 종료일, fecha de vencimiento, domain validity, expired, registered until, paid until,
    registration expiration date, domain name expiration date, end date, expires date
  `),
  status: keys(`
    status, domain status, domain state, registration status, query status, epp status, eppstatus, status
    code, domain name status, object status, ren status, domstatus, 状態, 등록정보 보호, registrar status, flags,
    current status
  `),
  state: ['state'],
  domain: keys(`
    domain, domain name, domainname, dom, 도메인이름, ドメイン名, nom de domaine, dominio, nome de dominio
  `),
  contact: ['contact', 'contact information'],
  /** Old registries list name servers like domains, with a registrar of their own. */
  host: ['server name'],
  'whois-server': keys(`
    registrar whois server, whois server, refer, referral server, referralserver, whois, registrar whois,
    whois tcp uri, registrar referral whois
  `),
};

const roles: Readonly<Record<Role, readonly string[]>> = {
  registrant: keys(`
    registrant, domain registrant, owner, domain owner, domain name owner, holder, domain holder, domain
    name holder, organization using domain name, registered for, registered to, licensee, registrant
    contact, owner contact, holder contact, holder of domain name, titular, titulaire, 등록인, 登録者名, registrant
    holder, org contact, registrar registrant, domain name registrant, registry registrant, holder english,
    registrant internationalized, subscriber, client contact, owner information, reg, organisation contact,
    organization contact, domain contact, licence holder
  `),
  admin: keys(`
    admin, administrative, administrator, admin contact, administrative contact, administrative contact
    agent, ac, responsible, responsible person, contact administratif, 책임자, registry admin, domain admin
    contact, administrativo, administratief contact, administrative contact technical contact,
    administrative contact technical contact zone contact, administrative technical contact, administrative
    technical billing contact, admin technical contact, public contact, administrative contact billing
    contact, zone contact administrative contact, adm
  `),
  technical: keys(`
    tech, technical, tech contact, technical contact, tech support contact, registry tech, technical contact
    agent, contact technique, domain tech contact, tecnico, technical contact zone contact, technical
    contact billing contact, tec, zone tech contact
  `),
  billing: keys(`
    billing, bill, billing contact, registry billing, payment contact, invoice contact, pay
  `),
  registrar: keys(`
    registrar, sponsoring registrar, authorized agency, registration service provider, registrar of record,
    current registrar, current registar, domain registrar, registered by, registered through, authorised
    registrar, 등록대행자, registered via, registrar contact, domain support, maintained by registrar,
    registering agent, domain name registrar, agent, registration service provided by, record registrar,
    maintainer, sponsor, provider, registrar technical, registrar information
  `),
  none: keys(`
    name servers, name server, nameservers, nameserver, domain nameservers, domain name servers, domain
    servers, domain servers in listed order, dns, dns servers, nserver, ns, host, hosts, name servers
    information, servers, name server information, nameserver in listed order, primary name server,
    secondary name server, primary server, secondary server, hostname, host name, domain name server, name
    server handle, ns list, ds list, key, dnssec, ds, ds rdata, signing key, reseller, registry, abuse,
    abuse contact, registrar abuse, registrar abuse contact, security, security contact, zone, zone contact,
    onsite, onsite contact, relevant dates, record dates, dates, remarks, remark, url, registrar url,
    referral url, website, web, web page, www, descr, description, source, mnt by, notice, note, data
    validation, registrant type, status information, registrar customer service, nsset, keyset, registry
    lock,  active variants, inactive variants, whois lookup made, last updated, last
    update, updated, changed, updated date, last modified, modified, terms of use, entry updated, domain
    last updated, registrar tag, distributor, emergency, variant, tag, lock status, ren, auth, trademark,
    organization type, registry operator, rsp, dnssec ds data, copyright notice, registrar iana, registrar
    id, organization loc type, eligibility type, eligibility id, record maintained by, last updated date,
    registrar website, created by, last updated by, domain id, registry domain, privacy, cn, contact type
  `),
};

const fields: Readonly<Record<Extract<Meaning, { is: 'field' }>['field'], readonly string[]>> = {
  name: keys(`
    name, person, personname, person name, full name, fullname, english name, contact name, name of contact,
    person loc, nom, english, contact person, individual
  `),
  'given-name': keys(`
    given name, first name, firstname, fname
  `),
  'family-name': keys(`
    family name, last name, lastname, surname, lname
  `),
  org: keys(`
    organization, organisation, org, company, company name, organization name, organisation name,
    organization loc, corporate name, entity, company english name, orgname, network service name,
    eligibility name, org name, business name
  `),
  street: keys(`
    street, address, street address, address line, postal address, addr, mailing address, address loc, 주소,
    street name, address street, adr, adresse, addressline, residence, organisation address, organization
    address
  `),
  city: keys(`
    city, locality, town, city loc, address city, suburb, municipality, place, city municipality
  `),
  state: keys(`
    state, province, state province, region, state or province, county, prefecture, address state, region
    loc, province state, territory, sp
  `),
  postal: keys(`
    postal code, postalcode, zip, zip code, zipcode, postcode, post code, postal, zip postal code, postal
    code loc, 우편번호, pc, postal zip code, address postalcode, postal or zip code, post index
  `),
  country: keys(`
    country, country code, countrycode, country region, country economy, country loc, nation, address
    country, c
  `),
  phone: keys(`
    phone, phone number, phone no, telephone, telephone number, tel, tel no, voice, voice number, 전화번호,
    phone voice, mobile, phonenumber, telefone
  `),
  fax: keys(`
    fax, fax no, fax number, facsimile, facsimile number, fax phone, faxno, facsimile no, telefax, fax phone
    number
  `),
  email: keys(`
    email, e mail, email address, e mail address, mail, contact email, contact e mail, 전자우편, emailaddress,
    email id, eppmail, mailbox
  `),
  handle: keys(`
    id, nic hdl, nic handle, handle, contact id, nic hdl br, hdl, contact handle, roid, nichandle, ident
  `),
};

function keys(text: string): readonly string[] {
  return text.split(',').map((key) => key.trim().replaceAll(/\s+/g, ' '));
}

const byFact = tableOf(facts as Readonly<Record<Fact, readonly string[]>>);
const byRole = tableOf(roles);
const byField = tableOf(fields);
const roleWordsMax = 6;
const keyLengthMax = 160;
/** Words after a role that add no meaning. */
const fillers = new Set([
  'contact',
  'contacts',
  'information',
  'details',
  'data',
  'contact information',
  'contact details',
  'c',
  'info',
  's',
]);

const remembered = new Map<string, Meaning | undefined>();
const rememberedMax = 4000;

/** Undefined for an unknown key. Cached, because few distinct keys occur. */
export function meaningOf(written: string): Meaning | undefined {
  if (written.length > keyLengthMax) return undefined;
  const known = remembered.get(written);
  if (known !== undefined || remembered.has(written)) return known;
  if (remembered.size >= rememberedMax) remembered.clear();
  const meaning = findMeaning(plainKey(written));
  remembered.set(written, meaning);
  return meaning;
}

/** Lower case, single spaces, without trailing numbers and parenthesised remarks. */
function plainKey(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\([^()]*\)|'s\b|’s\b/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ ?\d{1,2}$/, '');
}

function findMeaning(key: string): Meaning | undefined {
  const fact = byFact.get(key);
  if (fact !== undefined) return { is: fact } as Meaning;
  const words = key.split(' ');
  for (let count = Math.min(words.length, roleWordsMax); count > 0; count -= 1) {
    const role = byRole.get(words.slice(0, count).join(' '));
    if (role === undefined) continue;
    const rest = words.slice(count).join(' ');
    if (rest === '' || fillers.has(rest)) return { is: 'role', role };
    const field = byField.get(rest) ?? byField.get(rest.replace(/^contacts? /, ''));
    if (field !== undefined) return { is: 'field', role, field };
    if (role === 'none') return { is: 'role', role };
  }
  const field = byField.get(key);
  return field && { is: 'field', field };
}

function tableOf<Name extends string>(
  lists: Readonly<Record<Name, readonly string[]>>,
): ReadonlyMap<string, Name> {
  const all = Object.entries(lists) as [Name, readonly string[]][];
  return new Map(all.flatMap(([name, list]) => list.map((key) => [key, name] as const)));
}

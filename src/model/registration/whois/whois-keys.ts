/** The keys of WHOIS records across registries, in lower case without accents and punctuation. */
import type { ContactField } from '../contact-draft.ts';

/** `provider`: sells registrations for a registrar. `zone`: operates the name servers. */
export type Role =
  | 'registrant'
  | 'admin'
  | 'technical'
  | 'billing'
  | 'zone'
  | 'registrar'
  | 'provider'
  | 'none';

export type Meaning =
  | {
      readonly is:
        | 'created'
        | 'expires'
        | 'status'
        | 'state'
        | 'domain'
        | 'contact'
        | 'changed'
        | 'description'
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

export type Fact = Extract<Meaning, { readonly is: string }>['is'];

export const facts: Readonly<Partial<Record<Fact, readonly string[]>>> = {
  created: keys(`
    creation date, created on, created date, create date, registration date, registered date, date
    registered, registration time, record created, record created on, record creation date, domain created,
    domain created on, domain registered, domain registration date, domain name commencement date,
    commencement date, first registration date, entry created, registration, domain create date, domain
    creation date, domain record activated, activated, activation date, domain registered on, created at,
    date created, domain dateregistered, domain datecreated, registered since, domain registered since,
    first registered, registrado, data de registo, fecha de registro, 登録年月日, 등록일, registered on, creation
    time, original created, domain activated, domain name registered, delegated date, reg date, registration
    start, activation, acivated, activated on, date approved, fecha de creacion, fecha creacion, fecha de
    alta, data de criacao, date de creation
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
    registration expiration date, domain name expiration date, end date, expires date, record expired, date
    renewal, fecha vencimiento, fecha de expiracion
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
  changed: ['changed'],
  description: keys(`
    descr, description
  `),
  /** Old registries list name servers like domains, with a registrar of their own. */
  host: ['server name'],
  'whois-server': keys(`
    registrar whois server, whois server, refer, referral server, referralserver, whois, registrar whois,
    whois tcp uri, registrar referral whois
  `),
};

export const roles: Readonly<Record<Role, readonly string[]>> = {
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
    contact, zone contact administrative contact, adm, contacto administrativo
  `),
  technical: keys(`
    tech, technical, tech contact, technical contact, tech support contact, registry tech, technical contact
    agent, contact technique, domain tech contact, tecnico, technical contact zone contact, technical
    contact billing contact, tec, zone tech contact, contacto tecnico
  `),
  billing: keys(`
    billing, bill, billing contact, registry billing, payment contact, invoice contact, pay, contacto
    financiero, contacto de cobranza
  `),
  registrar: keys(`
    registrar, sponsoring registrar, authorized agency, registrar of record, current registrar, current
    registar, domain registrar, registered by, authorised registrar, 등록대행자, registrar contact, maintained by
    registrar, domain name registrar, record registrar, sponsor, registrar information, agente registrador,
    registrado por
  `),
  provider: keys(`
    registration service provider, registration service provided by, registered through, registered via,
    domain support, registering agent, agent, maintainer, provider
  `),
  zone: ['zone', 'zone contact'],
  none: keys(`
    name servers, name server, nameservers, nameserver, domain nameservers, domain name servers, domain
    servers, domain servers in listed order, dns, dns servers, nserver, ns, host, hosts, name servers
    information, servers, name server information, nameserver in listed order, primary name server,
    secondary name server, primary server, secondary server, hostname, host name, domain name server, name
    server handle, ns list, ds list, key, dnssec, ds, ds rdata, signing key, reseller, registry, abuse,
    abuse contact, registrar abuse, registrar abuse contact, security, security contact,
    registrar technical, onsite, onsite contact, relevant dates, record dates, dates, remarks, remark, url, registrar url,
    referral url, website, web, web page, www, source, mnt by, notice, note, data
    validation, registrant type, status information, registrar customer service, nsset, keyset, registry
    lock,  active variants, inactive variants, whois lookup made, last updated, last
    update, updated, updated date, last modified, modified, terms of use, entry updated, domain
    last updated, registrar tag, distributor, emergency, variant, tag, lock status, ren, auth, trademark,
    organization type, registry operator, rsp, dnssec ds data, copyright notice, registrar iana, registrar
    id, organization loc type, eligibility type, eligibility id, record maintained by, last updated date,
    registrar website, created by, last updated by, domain id, registry domain, privacy, cn, contact type
  `),
};

export const fields: Readonly<Record<Extract<Meaning, { is: 'field' }>['field'], readonly string[]>> = {
  name: keys(`
    name, person, personname, person name, full name, fullname, english name, contact name, name of contact,
    person loc, nom, english, contact person, individual, role, nombre, international name
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
    eligibility name, org name, business name, organizacion, international organisation
  `),
  street: keys(`
    street, address, street address, address line, postal address, addr, mailing address, address loc, 주소,
    street name, address street, adr, adresse, addressline, residence, organisation address, organization
    address, direccion, international address
  `),
  city: keys(`
    city, locality, town, city loc, address city, suburb, municipality, place, city municipality, ciudad
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
    country, c, pais
  `),
  phone: keys(`
    phone, phone number, phone no, telephone, telephone number, tel, tel no, voice, voice number, 전화번호,
    phone voice, mobile, phonenumber, telefone, telefono
  `),
  fax: keys(`
    fax, fax no, fax number, facsimile, facsimile number, fax phone, faxno, facsimile no, telefax, fax phone
    number
  `),
  email: keys(`
    email, e mail, email address, e mail address, mail, contact email, contact e mail, 전자우편, emailaddress,
    email id, eppmail, mailbox, correo, correo electronico
  `),
  handle: keys(`
    id, nic hdl, nic handle, handle, contact id, nic hdl br, hdl, contact handle, roid, nichandle, ident, norid handle
  `),
};

function keys(text: string): readonly string[] {
  return text.split(',').map((key) => key.trim().replaceAll(/\s+/g, ' '));
}

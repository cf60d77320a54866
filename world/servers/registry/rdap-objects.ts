/** RDAP's objects (RFC 9083): a domain, the people in it as jCards (RFC 7095), errors. */
import { domainToUnicode } from 'node:url';
import type { Person, Registrar, WorldDomain } from '../../world-domain.ts';
import { handleOf, instantOf } from './whois-styles/icann.ts';

export const conformance = [
  'rdap_level_0',
  'icann_rdap_response_profile_1',
  'icann_rdap_technical_implementation_guide_1',
  'redacted',
];

const redacted = 'REDACTED FOR PRIVACY';

export interface RdapView {
  /** Of the server that answers, as `https://rdap.nic.zon/`. */
  readonly baseUrl: string;
  readonly whoisHost: string;
  /** A thin register knows no registrant. */
  readonly isThin: boolean;
  /** Where more is to be had; undefined: nowhere. */
  readonly relatedUrl: string | undefined;
  readonly nowMs: number;
}

export function domainObject(domain: WorldDomain, view: RdapView): Record<string, unknown> {
  const { name, registrar, registrant, nameServers } = domain;
  const self = `${view.baseUrl}domain/${name}`;
  const isHidden = !view.isThin && registrant === undefined;
  return {
    rdapConformance: conformance,
    objectClassName: 'domain',
    handle: handleOf(domain),
    ldhName: name,
    ...(name.includes('xn--') ? { unicodeName: domainToUnicode(name) } : {}),
    status: domain.statuses.map(statusOf),
    events: [
      { eventAction: 'registration', eventDate: instantOf(domain.registeredMs) },
      { eventAction: 'expiration', eventDate: instantOf(domain.expiresMs) },
      { eventAction: 'last changed', eventDate: instantOf(domain.changedMs) },
      { eventAction: 'last update of RDAP database', eventDate: instantOf(view.nowMs) },
    ],
    entities: [
      registrarEntity(registrar),
      ...(view.isThin ? [] : [personEntity(registrant, ['registrant', 'administrative', 'technical'])]),
    ],
    nameservers: nameServers.map((host) => ({ objectClassName: 'nameserver', ldhName: host })),
    secureDNS: { delegationSigned: false },
    links: [
      link('self', self, self),
      ...(view.relatedUrl ? [link('related', self, `${view.relatedUrl}domain/${name}`)] : []),
    ],
    port43: view.whoisHost,
    notices: notices(view.baseUrl),
    ...(isHidden ? { redacted: redactions } : {}),
  };
}

export function errorObject(status: number, title: string, description: string): Record<string, unknown> {
  return { rdapConformance: conformance, errorCode: status, title, description: [description] };
}

export function notices(baseUrl: string): readonly unknown[] {
  return [
    {
      title: 'Terms of Use',
      description: ['This register may be asked for lawful purposes.'],
      links: [
        { value: `${baseUrl}help`, rel: 'terms-of-service', href: `${baseUrl}help`, type: 'text/html' },
      ],
    },
    {
      title: 'Status Codes',
      description: ['For more information on domain status codes, please visit https://icann.org/epp'],
    },
  ];
}

function registrarEntity(registrar: Registrar): unknown {
  const url = `https://${registrar.rdapHost}/`;
  return {
    objectClassName: 'entity',
    handle: String(registrar.ianaId),
    roles: ['registrar'],
    publicIds: [{ type: 'IANA Registrar ID', identifier: String(registrar.ianaId) }],
    vcardArray: vcard([['fn', {}, 'text', registrar.name]]),
    links: [link('about', url, url)],
    entities: [
      {
        objectClassName: 'entity',
        roles: ['abuse'],
        vcardArray: vcard([
          ['fn', {}, 'text', 'Abuse Desk'],
          ['tel', { type: 'voice' }, 'uri', `tel:${registrar.abusePhone}`],
          ['email', {}, 'text', registrar.abuseEmail],
        ]),
      },
    ],
  };
}

function personEntity(person: Person | undefined, roles: readonly string[]): unknown {
  if (person === undefined) {
    return {
      objectClassName: 'entity',
      handle: redacted,
      roles,
      vcardArray: vcard([
        ['fn', {}, 'text', redacted],
        ['adr', {}, 'text', ['', '', redacted, redacted, redacted, redacted, '']],
      ]),
      remarks: [
        {
          title: redacted,
          type: 'object redacted due to authorization',
          description: ['Some of the data in this object has been removed.'],
        },
      ],
    };
  }
  const { name, organization, street, city, state, postal, country, phone, email } = person;
  return {
    objectClassName: 'entity',
    roles,
    vcardArray: vcard([
      ['fn', {}, 'text', name],
      ...(organization ? [['org', {}, 'text', organization]] : []),
      ['adr', { cc: country }, 'text', ['', '', street, city, state, postal, '']],
      ['tel', { type: 'voice' }, 'uri', `tel:${phone}`],
      ['email', {}, 'text', email],
    ]),
  };
}

function vcard(properties: readonly (readonly unknown[])[]): unknown {
  return ['vcard', [['version', {}, 'text', '4.0'], ...properties]];
}

function link(rel: string, value: string, href: string): unknown {
  return { value, rel, href, type: 'application/rdap+json' };
}

/** What was left out is said in a form of its own as well (RFC 9537). */
const redactions = ['Registrant Name', 'Registrant Email', 'Registrant Phone'].map((description) => ({
  name: { description },
  reason: { description: 'Server policy' },
  method: 'emptyValue',
}));

/** From the words of EPP to those of RDAP (RFC 8056). */
function statusOf(status: string): string {
  if (status === 'ok') return 'active';
  return status.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

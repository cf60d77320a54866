/** Keys in brackets, values in a column, days with slashes in local time: as registries in East Asia write them. */
import type { Person, WorldDomain } from '../../../world-domain.ts';
import { inLines } from './icann.ts';

const localOffsetMs = 9 * 3_600_000;
const column = 32;

export function inAsianStyle(domain: WorldDomain): string {
  const { name, registrant } = domain;
  return inLines([
    ...preamble,
    'Domain Information:',
    field('Domain Name', name.toUpperCase()),
    '',
    field('Registrant', registrant ? (registrant.organization ?? registrant.name) : 'Whois Privacy Service'),
    '',
    ...domain.nameServers.map((host) => field('Name Server', host)),
    field('Signing Key', ''),
    '',
    field('Created on', dayOf(domain.registeredMs)),
    field('Expires on', dayOf(domain.expiresMs)),
    field('Status', 'Active'),
    ...domain.statuses.filter((status) => status !== 'ok').map((status) => field('Lock Status', status)),
    field('Last Updated', `${dayOf(domain.changedMs)} ${timeOf(domain.changedMs)} (JST)`),
    '',
    'Contact Information:',
    ...(registrant ? personLines(registrant) : hiddenLines(domain)),
  ]);
}

export function noMatchInAsianStyle(): string {
  return inLines([...preamble, 'No match!!']);
}

const preamble = [
  '[ This database provides information on network administration. Its use is    ]',
  '[ restricted to network administration purposes.                              ]',
  '',
];

function personLines(person: Person): string[] {
  return [
    field('Name', person.name),
    field('Email', person.email),
    field('Web Page', ''),
    field('Postal code', person.postal),
    field('Postal Address', person.city),
    `${' '.repeat(column)}${person.street}`,
    `${' '.repeat(column)}${person.country}`,
    field('Phone', person.phone),
    field('Fax', ''),
  ];
}

function hiddenLines({ registrar }: WorldDomain): string[] {
  return [
    field('Name', 'Whois Privacy Service'),
    field('Email', registrar.abuseEmail),
    field('Phone', registrar.abusePhone),
    field('Fax', ''),
  ];
}

function field(key: string, value: string): string {
  return `${`[${key}]`.padEnd(column)}${value}`;
}

function dayOf(ms: number): string {
  return new Date(ms + localOffsetMs).toISOString().slice(0, 10).replaceAll('-', '/');
}

function timeOf(ms: number): string {
  return new Date(ms + localOffsetMs).toISOString().slice(11, 19);
}

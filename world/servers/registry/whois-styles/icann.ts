/** The format of most registries and all registrars: `Key: value`, in a fixed order. */
import type { Person, WorldDomain } from '../../../world-domain.ts';

const redacted = 'REDACTED FOR PRIVACY';
const contacts = ['Registrant', 'Admin', 'Tech'] as const;

/** A thin register does not know who the registrant is. */
export function inIcannStyle(
  domain: WorldDomain,
  nowMs: number,
  depth: 'thin' | 'thick',
  referral: string,
): string {
  const { name, registrar } = domain;
  const lines = [
    `Domain Name: ${name.toUpperCase()}`,
    `Registry Domain ID: ${handleOf(domain)}`,
    `Registrar WHOIS Server: ${referral}`,
    `Registrar URL: https://${registrar.rdapHost.replace(/^[^.]+\./, 'www.')}`,
    `Updated Date: ${instantOf(domain.changedMs)}`,
    `Creation Date: ${instantOf(domain.registeredMs)}`,
    `Registry Expiry Date: ${instantOf(domain.expiresMs)}`,
    `Registrar: ${registrar.name}`,
    `Registrar IANA ID: ${registrar.ianaId}`,
    `Registrar Abuse Contact Email: ${registrar.abuseEmail}`,
    `Registrar Abuse Contact Phone: ${registrar.abusePhone}`,
    ...domain.statuses.map((status) => `Domain Status: ${status} https://icann.org/epp#${status}`),
    ...(depth === 'thin' ? [] : contacts.flatMap((role) => contactLines(role, domain.registrant))),
    ...domain.nameServers.map((host) => `Name Server: ${host.toUpperCase()}`),
    'DNSSEC: unsigned',
    'URL of the ICANN Whois Inaccuracy Complaint Form: https://www.icann.org/wicf/',
    `>>> Last update of whois database: ${instantOf(nowMs)} <<<`,
    '',
    'For more information on Whois status codes, please visit https://icann.org/epp',
    '',
    'TERMS OF USE: You are granted this access to the register for lawful purposes only,',
    'and never to send mail to many. Registrar: none of this is a Registrar: line.',
  ];
  return inLines(lines);
}

export function noMatchInIcannStyle(name: string, nowMs: number): string {
  return inLines([
    `No match for "${name.toUpperCase()}".`,
    `>>> Last update of whois database: ${instantOf(nowMs)} <<<`,
  ]);
}

export function inLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}

export function instantOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function handleOf({ name, registeredMs }: WorldDomain): string {
  const zone = name.slice(name.lastIndexOf('.') + 1);
  return `D${Math.floor(registeredMs / 1000)}-${zone.toUpperCase()}`;
}

function contactLines(role: (typeof contacts)[number], person: Person | undefined): string[] {
  const field = (label: string, text: string | undefined) =>
    `${role} ${label}: ${person ? (text ?? '') : redacted}`;
  return [
    field('Name', person?.name),
    field('Organization', person?.organization),
    field('Street', person?.street),
    field('City', person?.city),
    field('State/Province', person?.state),
    field('Postal Code', person?.postal),
    field('Country', person?.country),
    field('Phone', person?.phone),
    field('Fax', ''),
    field('Email', person?.email),
  ];
}

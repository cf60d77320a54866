/** Fields that are derived from others unless given: base domains of hosts, the duration of certificates, whether a domain is active. */
import { findBaseDomain } from '../base-domain.ts';
import { dayMs } from '../durations.ts';
import type { DomainRecord } from './domain-record.ts';
import { membersInOrder } from './member-order.ts';
import { normaliseText } from './normalise-text.ts';

export function withDerivedFields(record: DomainRecord): DomainRecord {
  const { mx, name_server, ssl_info, redirect } = record;
  const redirectDomain = record.redirect_domain ?? (redirect && domainOfUrl(redirect));
  return inSchemaOrder({
    ...record,
    active: record.active ?? seemsActive(record),
    ...(mx && { mx: mx.map(withDomain) }),
    ...(name_server && { name_server: name_server.map(withDomain) }),
    ...(ssl_info && { ssl_info: ssl_info.map(withDuration) }),
    ...(redirectDomain && { redirect_domain: redirectDomain }),
  });
}

/** Of a record, or of its sources. */
export function inSchemaOrder<Members extends Partial<Record<keyof DomainRecord, unknown>>>(
  members: Members,
): Members {
  const ordered: Partial<Record<keyof DomainRecord, unknown>> = {};
  for (const name of membersInOrder) {
    const value = members[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered as Members;
}

const activeMembers: readonly (keyof DomainRecord)[] = [
  'ip',
  'mx',
  'name_server',
  'parsed_whois',
  'parsed_domain_rdap',
  'registrar',
  'create_date',
];

/** Whether any of these members decides if a domain is active. */
export function affectActive(members: readonly (keyof DomainRecord)[]): boolean {
  return members.some((member) => activeMembers.includes(member));
}

/** In global DNS or registered, as far as the record shows. */
function seemsActive(record: DomainRecord): boolean {
  return activeMembers.some((member) => record[member] !== undefined);
}

function withDomain<Server extends { host: string; domain?: string }>(server: Server): Server {
  const domain = server.domain ?? findBaseDomain(server.host);
  const { host, ...others } = server;
  return domain === undefined ? server : ({ host, domain, ...others } as Server);
}

type Certificate = NonNullable<DomainRecord['ssl_info']>[number];

function withDuration(certificate: Certificate): Certificate {
  const { not_before, not_after, duration } = certificate;
  if (duration !== undefined || not_before === undefined || not_after === undefined) return certificate;
  const days = (Date.parse(not_after) - Date.parse(not_before)) / dayMs;
  return days < 0 ? certificate : { ...certificate, duration: days };
}

function domainOfUrl(text: string): string | undefined {
  const url = URL.parse(text);
  const host = url === null ? { must: '' } : normaliseText('host', url.hostname);
  return 'text' in host ? findBaseDomain(host.text) : undefined;
}

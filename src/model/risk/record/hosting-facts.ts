/** Facts from DNS: who operates the name servers, where the domain is hosted, and whether it accepts mail. */
import { findBaseDomain } from '../../base-domain.ts';
import type { DomainRecord } from '../../record/domain-record.ts';
import { form, identities, identity, type RecordFact, trait } from './record-fact.ts';

const serversMax = 8;
const addressesMax = 16;
const hostCharactersMax = 253;

export function hostingFacts(record: DomainRecord): readonly RecordFact[] {
  const servers = (record.name_server ?? []).slice(0, serversMax);
  const operators = servers.map(operatorOf);
  const ip = (record.ip ?? []).slice(0, addressesMax);
  const isOwn = operators.includes(record.domain);
  return [
    ...(servers.length === 0
      ? []
      : [
          form('name server', 'name servers', upTo(servers.length, 4)),
          form('name server', 'name servers are', isOwn ? 'its own' : "others'"),
        ]),
    ...identities('name server', 'name server operator', isOwn ? [] : operators),
    // That a domain in DNS has no address is a fact too.
    ...(ip.length > 0 || wasDnsProbed(record) ? trait('ip address', 'addresses', upTo(ip.length, 3)) : []),
    ...identities(
      'ip address',
      'asn',
      ip.flatMap(({ asn = [] }) => asn.slice(0, 1).map(String)),
    ),
    ...identities(
      'ip address',
      'address country',
      ip.flatMap(({ country_code }) => country_code ?? []),
    ),
    ...popularity(record),
  ];
}

export function mailFacts(record: DomainRecord): readonly RecordFact[] {
  if (!wasDnsProbed(record)) return [];
  const exchange = record.mx?.[0];
  const operator = exchange && operatorOf(exchange);
  return [
    form('mail', 'mail', exchange ? 'taken' : 'not taken'),
    form('mail', 'SPF', record.spf_info === undefined ? 'none' : 'there'),
    ...(operator === record.domain
      ? trait('mail', 'mail operator', 'its own')
      : identity('mail', 'mail operator', operator)),
  ];
}

/** Whether DNS was probed: addresses and name servers also come from other sources, these members do not. */
function wasDnsProbed({ soa_email, mx, spf_info }: DomainRecord): boolean {
  return (soa_email?.length ?? 0) > 0 || (mx?.length ?? 0) > 0 || spf_info !== undefined;
}

function operatorOf({ host, domain }: { readonly host: string; readonly domain?: string }): string {
  const name = host.slice(0, hostCharactersMax);
  return domain ?? findBaseDomain(name) ?? name;
}

/** Only for domains with a rank: most have none, so its absence says little. */
function popularity({ popularity_rank: rank }: DomainRecord): readonly RecordFact[] {
  if (rank === undefined) return [];
  return [form('web site', 'popularity rank', rank <= 100_000 ? 'to 100,000' : 'beyond 100,000')];
}

function upTo(count: number, most: number): string {
  return count >= most ? `${most} or more` : String(count);
}

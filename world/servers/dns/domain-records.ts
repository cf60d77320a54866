/** The records of a registered domain: at its apex, and where its site is. */
import { hashOf } from '../../story/random.ts';
import type { WorldDomain } from '../../world-domain.ts';
import { recordsOf, type WorldRecord } from './findings.ts';
import { domainSoa, rdataOf, textRdata } from './rdata.ts';

export function apexRecords(domain: WorldDomain): readonly WorldRecord[] {
  const { name, nameServers, mailServers, spf, certifiedMs } = domain;
  const caa = certifiedMs !== undefined && hashOf(name) % 3 === 0 ? ['0 issue "ca.example"'] : [];
  return [
    ...recordsOf(name, 'SOA', [domainSoa(domain)]),
    ...recordsOf(
      name,
      'NS',
      nameServers.map((host) => rdataOf('NS', `${host}.`)),
    ),
    ...recordsOf(
      name,
      'MX',
      mailServers.map(({ host, priority }) => rdataOf('MX', `${priority} ${host}.`)),
    ),
    ...recordsOf(name, 'TXT', spf === undefined ? [] : [textRdata(spf)]),
    ...recordsOf(
      name,
      'CAA',
      caa.map((text) => rdataOf('CAA', text)),
    ),
  ];
}

export function siteRecords(name: string, { addresses }: WorldDomain): readonly WorldRecord[] {
  return recordsOf(
    name,
    'A',
    addresses.map((address) => rdataOf('A', address)),
  );
}

/** Whether it is the domain itself, its `www`, or named by its certificate. */
export function isSiteName(name: string, domain: WorldDomain): boolean {
  return name === domain.name || name === `www.${domain.name}` || domain.hosts.includes(name);
}

/** Of some domains, `www` is another name for the domain. */
export function isAliased({ name, addresses }: WorldDomain): boolean {
  return addresses.length > 0 && hashOf(name, 7) % 4 === 0;
}

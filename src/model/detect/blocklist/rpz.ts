/**
 * A response policy zone: resolvers answer that neither the name nor anything below it exists. Allowed names below a blocked one are
 * excepted. Also what zone transfers are made of.
 */
import { daySeconds } from '../../durations.ts';
import type { BlocklistFormat, BlocklistHead } from './format.ts';
import type { ListedName } from './selection.ts';

const serials = 2 ** 32;

export const rpz: BlocklistFormat = {
  extension: 'rpz',
  contentType: 'text/plain; charset=utf-8',
  description: 'response policy zone, for BIND, Unbound, Knot Resolver and PowerDNS Recursor',
  head(list) {
    // Names are relative: the resolver's configuration chooses the zone.
    const { primary, contact, numbers } = policySoa(list);
    return `$TTL ${list.ttlSeconds}\n@ SOA ${primary} ${contact} ${numbers.join(' ')}\n@ NS ${primary}\n`;
  },
  lines(listed) {
    const { owners, target } = policyOf(listed);
    return owners.map((owner) => `${owner} CNAME ${target}\n`).join('');
  },
};

/** How often resolvers ask that are not notified. */
const [refreshSeconds, retrySeconds, expireSeconds] = [300, 60, 7 * daySeconds];

export function policySoa({ serial, ttlSeconds }: Pick<BlocklistHead, 'serial' | 'ttlSeconds'>) {
  return {
    primary: 'localhost.',
    contact: 'hostmaster.localhost.',
    // Serials wrap around, and the successor still counts as later (RFC 1982).
    numbers: [serial % serials, refreshSeconds, retrySeconds, expireSeconds, ttlSeconds],
  } as const;
}

/** CNAME records; owners are relative to the zone. */
export function policyOf({ name, kind }: Pick<ListedName, 'name' | 'kind'>) {
  return { owners: [name, `*.${name}`], target: kind === 'passed' ? 'rpz-passthru.' : '.' } as const;
}

/** A response policy zone: resolvers answer that neither the name nor anything below it exists. */
import { daySeconds, hourSeconds } from '../../durations.ts';
import type { BlocklistFormat } from './format.ts';

const [refreshSeconds, retrySeconds, expireSeconds] = [hourSeconds, 600, 7 * daySeconds];
const serials = 2 ** 32;

export const rpz: BlocklistFormat = {
  fileName: 'blocked.rpz',
  contentType: 'text/plain; charset=utf-8',
  description: 'response policy zone, for BIND, Unbound, Knot Resolver and PowerDNS Recursor',
  head({ version, ttlSeconds }) {
    // Names are relative: the resolver's configuration chooses the zone.
    const times = [serialOf(version), refreshSeconds, retrySeconds, expireSeconds, ttlSeconds];
    return `$TTL ${ttlSeconds}\n@ SOA localhost. hostmaster.localhost. ${times.join(' ')}\n@ NS localhost.\n`;
  },
  lines: (name) => `${name} CNAME .\n*.${name} CNAME .\n`,
};

/** Serial number arithmetic (RFC 1982): serials wrap around, and the successor still counts as later. */
function serialOf(version: number): number {
  return (version + 1) % serials;
}

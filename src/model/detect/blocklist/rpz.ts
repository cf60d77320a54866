/** A response policy zone: resolvers answer that neither the name nor anything below it exists. */
import type { BlocklistFormat } from './format.ts';

const [refreshSeconds, retrySeconds, expireSeconds] = [3600, 600, 604_800];
const serials = 2 ** 32;

export const rpz: BlocklistFormat = {
  fileName: 'blocked.rpz',
  contentType: 'text/plain; charset=utf-8',
  description: 'response policy zone, for BIND, Unbound, Knot Resolver and PowerDNS Recursor',
  head({ version, ttlSeconds }) {
    // Names are relative: they lie in whichever zone the resolver's operator makes of the file.
    const times = [serialOf(version), refreshSeconds, retrySeconds, expireSeconds, ttlSeconds];
    return `$TTL ${ttlSeconds}\n@ SOA localhost. hostmaster.localhost. ${times.join(' ')}\n@ NS localhost.\n`;
  },
  lines: (name) => `${name} CNAME .\n*.${name} CNAME .\n`,
};

/** By RFC 1982 a serial may go round, and the next one after the last still counts as later. */
function serialOf(version: number): number {
  return (version + 1) % serials;
}

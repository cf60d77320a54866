/**
 * Addresses of the Internet at large, as opposed to those of this machine, of its network, or of nobody. For IPv6 only global
 * unicast counts, so that every way of writing an IPv4 address within an IPv6 one is out: mapped, compatible, NAT64, 6to4, Teredo.
 */
import { BlockList, isIP } from 'node:net';

/** Special-purpose ranges of RFC 6890 and the registry of IANA, multicast, reserved, and an address of a cloud's own machinery. */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

const globalIpv6 = ['2000::/3'];
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const [special4, global6, special6] = [
  listOf(specialIpv4, 'ipv4'),
  listOf(globalIpv6, 'ipv6'),
  listOf(specialIpv6, 'ipv6'),
];

export function isPublicAddress(address: string): boolean {
  // An address with a zone is one of a link.
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !special4.check(address, 'ipv4');
  return family === 6 && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

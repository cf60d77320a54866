/** Lists of IP addresses and CIDR prefixes, such as `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/32`. */
import { Address4, Address6 } from 'ip-address';

type Prefix = Address4 | Address6;

const mappedBits = 96;
const parsedLists = new WeakMap<readonly string[], readonly Prefix[]>();

export function isAddressRange(text: string): boolean {
  return findPrefix(text) !== undefined;
}

/** An IPv4-mapped IPv6 address (`::ffff:192.0.2.7`) counts as the IPv4 address, in the list and in the text. */
export function containsAddress(ranges: readonly string[], text: string): boolean {
  const address = text.includes('/') ? undefined : findPrefix(text);
  return address !== undefined && prefixesOf(ranges).some((prefix) => address.isHostInSubnet(prefix));
}

function prefixesOf(ranges: readonly string[]): readonly Prefix[] {
  const prefixes = parsedLists.get(ranges) ?? ranges.flatMap((range) => findPrefix(range) ?? []);
  parsedLists.set(ranges, prefixes);
  return prefixes;
}

/** Undefined for text that is neither an address nor a prefix. Comparisons ignore a zone id (`fe80::1%eth0`). */
function findPrefix(text: string): Prefix | undefined {
  if (Address4.isValid(text)) return new Address4(text);
  if (!Address6.isValid(text)) return undefined;
  const prefix = new Address6(text);
  // A shorter prefix covers more than IPv4-mapped addresses, and stays an IPv6 prefix.
  const isMapped = prefix.isMapped4() && prefix.subnetMask >= mappedBits && prefix.zone === '';
  return isMapped ? prefix.to4() : prefix;
}

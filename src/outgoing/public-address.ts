/**
 * Whether an address is globally reachable, for the SSRF guard. Refused are all blocks of the IANA special-purpose registries (even
 * those that the registry calls reachable), multicast, reserved space and cloud metadata services. For IPv6 only global unicast
 * (`2000::/3`) is public, which excludes every form with an embedded IPv4 address: mapped, compatible, NAT64, 6to4, Teredo.
 */
import { Address4, Address6 } from 'ip-address';

const globalUnicastIpv6 = new Address6('2000::/3');

/** Refused in addition to what `isGlobal()` refuses by the IANA registries. */
const refusedIpv4 = [
  // Azure platform services, reachable from every virtual machine there.
  '168.63.129.16/32',
  '192.0.0.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
].map((prefix) => new Address4(prefix));
const refusedIpv6 = ['2001::/23', '2002::/16', '2620:4f:8000::/48'].map((prefix) => new Address6(prefix));

/** False for an address with a zone id, which is link-local, and for text that is not an address. */
export function isPublicAddress(text: string): boolean {
  if (text.includes('%') || text.includes('/')) return false;
  if (Address4.isValid(text)) {
    const address = new Address4(text);
    return address.isGlobal() && !refusedIpv4.some((prefix) => address.isHostInSubnet(prefix));
  }
  if (!Address6.isValid(text)) return false;
  const address = new Address6(text);
  return (
    address.isHostInSubnet(globalUnicastIpv6) &&
    address.isGlobal() &&
    !refusedIpv6.some((prefix) => address.isHostInSubnet(prefix))
  );
}

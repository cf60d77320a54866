/** Lists of client addresses and prefixes, as `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/32`. */
import ipaddr from 'ipaddr.js';

export function isAddressRange(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

/** An IPv4 address that arrives in its IPv6-mapped form is the IPv4 address. */
export function containsAddress(ranges: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = range.includes('/')
      ? ipaddr.parseCIDR(range)
      : ([ipaddr.process(range), undefined] as const);
    if (network.kind() !== parsed.kind()) return false;
    return parsed.match(network, bits ?? (network.kind() === 'ipv4' ? 32 : 128));
  });
}

/**
 * Which addresses are scored: public ones, and those that `collect.allow` permits. Bad domains often point at reserved or private addresses,
 * and a list of bad addresses must not contain these.
 */
import { containsAddress } from '../../model/address/address-list.ts';
import { ipv4Text, ipv6Bytes, ipv6Text, putIpv4, putIpv6 } from '../../model/dns/ip-address.ts';
import { typeOf } from '../../model/dns/rr-type.ts';
import { isPublicAddress } from '../../outgoing/public-address.ts';

const ipv4Bytes = 4;
export const addressTypes = { only: new Set([typeOf('A'), typeOf('AAAA')]) };

export function isScoredAddress(address: string, allow: readonly string[]): boolean {
  return isPublicAddress(address) || containsAddress(allow, address);
}

/** 4 or 16 bytes; undefined for text that is not an address. */
export function findAddressBytes(address: string): Uint8Array | undefined {
  const bytes = new Uint8Array(ipv6Bytes);
  if (putIpv4(address, 0, bytes, 0)) return bytes.slice(0, ipv4Bytes);
  return putIpv6(address, bytes, 0) ? bytes : undefined;
}

/** From the rdata of an A or AAAA record; undefined for data of another length. */
export function findAddressText(rdata: Uint8Array): string | undefined {
  if (rdata.length === ipv4Bytes) return ipv4Text(rdata, 0);
  return rdata.length === ipv6Bytes ? ipv6Text(rdata, 0) : undefined;
}

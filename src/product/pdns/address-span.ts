/** Parses an address, a prefix `192.0.2.0,24`, or a range `192.0.2.1-192.0.2.20`. */
import { ipv6Bytes, putIpv4, putIpv6 } from '../../model/dns/ip-address.ts';

interface AddressSpan {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** Undefined for an invalid address, a prefix length out of range, or a range that mixes families or runs backwards. */
export function readAddressSpan(text: string): AddressSpan | undefined {
  const [first = '', last, ...more] = text.split('-');
  if (more.length > 0) return undefined;
  if (last !== undefined) return range(addressBytes(first), addressBytes(last));
  const [written = '', bits, ...rest] = first.split(/[,/]/);
  const address = addressBytes(written);
  if (!address || rest.length > 0) return undefined;
  return bits === undefined ? { from: address, to: address } : prefix(address, bits);
}

function range(from: Uint8Array | undefined, to: Uint8Array | undefined): AddressSpan | undefined {
  if (!from || !to || from.length !== to.length || Buffer.compare(from, to) > 0) return undefined;
  return { from, to };
}

/** Host bits are ignored. */
function prefix(address: Uint8Array, text: string): AddressSpan | undefined {
  const bits = Number(text);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(text) || bits > address.length * 8) return undefined;
  const hostMask = address.map((_, index) => 255 >> Math.max(0, Math.min(8, bits - index * 8)));
  return {
    from: address.map((byte, index) => byte & ~(hostMask[index] as number)),
    to: address.map((byte, index) => byte | (hostMask[index] as number)),
  };
}

/** An IPv4-mapped address stays IPv6, since it is the rdata of AAAA records. */
function addressBytes(text: string): Uint8Array | undefined {
  if (!text.includes(':')) {
    const bytes = new Uint8Array(4);
    return putIpv4(text, 0, bytes, 0) ? bytes : undefined;
  }
  const bytes = new Uint8Array(ipv6Bytes);
  return putIpv6(text, bytes, 0) ? bytes : undefined;
}

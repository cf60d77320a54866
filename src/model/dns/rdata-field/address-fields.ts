/** Addresses, also where another field says which kind follows. */
import { ipv4Text, ipv6Bytes, ipv6Text, putIpv4, putIpv6 } from '../ip-address.ts';
import { name } from './name-fields.ts';
import { fixedExtent, type RdataField } from './rdata-field.ts';

export const ipv4: RdataField = {
  extent: fixedExtent(4),
  text: ipv4Text,
  parse: (words, out) => {
    const word = words.nextShort();
    if (word === undefined || !putIpv4(word, 0, out.bytes, out.length)) return false;
    out.length += 4;
    return true;
  },
};

export const ipv6: RdataField = {
  extent: fixedExtent(ipv6Bytes),
  text: ipv6Text,
  parse: (words, out) => {
    const word = words.nextShort();
    if (word === undefined || !putIpv6(word, out.bytes, out.length)) return false;
    out.length += ipv6Bytes;
    return true;
  },
};

const none: RdataField = {
  extent: (_bytes, at) => at,
  text: () => '.',
  parse: (words) => words.nextShort() === '.',
};

/** Indexed by gateway type. */
const gateways: readonly RdataField[] = [none, ipv4, ipv6, name];

/** The gateway of IPSECKEY (RFC 4025). Its type is two bytes before it, with the algorithm between them. */
export const gateway: RdataField = {
  extent: (bytes, at, end) => kindAt(bytes, at)?.extent(bytes, at, end),
  text: (bytes, at, end) => kindAt(bytes, at)?.text(bytes, at, end) ?? '',
  parse: (words, out) => kindAt(out.bytes, out.length)?.parse(words, out) ?? false,
  isName: (bytes, at) => kindAt(bytes, at) === name,
};

function kindAt(bytes: Uint8Array, at: number): RdataField | undefined {
  return gateways[bytes[at - 2] ?? -1];
}

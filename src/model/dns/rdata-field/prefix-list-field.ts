/** Lists of address prefixes, the whole of APL (RFC 3123): `1:192.0.2.0/24 !1:192.0.2.64/28 2:2001:db8::/32`. */
import { ipv4Text, ipv6Bytes, ipv6Text, putIpv4, putIpv6 } from '../ip-address.ts';
import { parseNumber, readNumber } from './number-fields.ts';
import type { RdataField } from './rdata-field.ts';
import type { WireWriter } from './wire-writer.ts';

interface Family {
  readonly bytes: number;
  readonly text: (bytes: Uint8Array, at: number) => string;
  readonly put: (text: string, into: Uint8Array) => boolean;
}

const families: ReadonlyMap<number, Family> = new Map([
  [1, { bytes: 4, text: ipv4Text, put: (text, into) => putIpv4(text, 0, into, 0) }],
  [2, { bytes: ipv6Bytes, text: ipv6Text, put: (text, into) => putIpv6(text, into, 0) }],
]);

const negation = 0x80;
/** Family, prefix, negation and length. */
const headBytes = 4;

function itemEnd(bytes: Uint8Array, at: number): number {
  return at + headBytes + ((bytes[at + 3] as number) & ~negation);
}

export const prefixList: RdataField = {
  extent: (bytes, at, end) => {
    for (let offset = at; offset < end; ) {
      if (offset + headBytes > end) return undefined;
      const family = families.get(readNumber(bytes, offset, 2));
      const next = itemEnd(bytes, offset);
      if (!family || next > end || next - offset - headBytes > family.bytes) return undefined;
      if ((bytes[offset + 2] as number) > family.bytes * 8) return undefined;
      // Trailing zeros are forbidden, and would be lost in presentation form.
      if (next > offset + headBytes && bytes[next - 1] === 0) return undefined;
      offset = next;
    }
    return end;
  },
  text: (bytes, at, end) => {
    const items: string[] = [];
    for (let offset = at; offset < end; ) {
      const next = itemEnd(bytes, offset);
      const address = new Uint8Array(ipv6Bytes);
      address.set(bytes.subarray(offset + headBytes, next));
      const number = readNumber(bytes, offset, 2);
      const mark = ((bytes[offset + 3] as number) & negation) === 0 ? '' : '!';
      items.push(`${mark}${number}:${families.get(number)?.text(address, 0)}/${bytes[offset + 2]}`);
      offset = next;
    }
    return items.join(' ');
  },
  parse: (words, out) => {
    while (!words.areOver) {
      if (!putItem(words.nextShort() ?? '', out)) return false;
    }
    return true;
  },
};

function putItem(word: string, out: WireWriter): boolean {
  const parts = /^(!?)(\d+):([^/]+)\/(\d+)$/.exec(word);
  if (!parts) return false;
  const [, mark, familyText = '', addressText = '', prefixText = ''] = parts;
  const number = parseNumber(familyText, 2) ?? 0;
  const prefix = parseNumber(prefixText, 1);
  const family = families.get(number);
  const address = new Uint8Array(ipv6Bytes);
  if (!family?.put(addressText, address) || prefix === undefined || prefix > family.bytes * 8) return false;
  let used = family.bytes;
  while (used > 0 && address[used - 1] === 0) used -= 1;
  out.put16(number);
  out.put8(prefix);
  out.put8(used | (mark === '' ? 0 : negation));
  out.putAll(address.subarray(0, used));
  return true;
}

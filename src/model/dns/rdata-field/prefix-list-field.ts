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
    for (let place = at; place < end; ) {
      if (place + headBytes > end) return undefined;
      const family = families.get(readNumber(bytes, place, 2));
      const next = itemEnd(bytes, place);
      if (!family || next > end || next - place - headBytes > family.bytes) return undefined;
      if ((bytes[place + 2] as number) > family.bytes * 8) return undefined;
      // Zeros at the end are forbidden, and would be lost in presentation.
      if (next > place + headBytes && bytes[next - 1] === 0) return undefined;
      place = next;
    }
    return end;
  },
  text: (bytes, at, end) => {
    const items: string[] = [];
    for (let place = at; place < end; ) {
      const next = itemEnd(bytes, place);
      const address = new Uint8Array(ipv6Bytes);
      address.set(bytes.subarray(place + headBytes, next));
      const number = readNumber(bytes, place, 2);
      const mark = ((bytes[place + 3] as number) & negation) === 0 ? '' : '!';
      items.push(`${mark}${number}:${families.get(number)?.text(address, 0)}/${bytes[place + 2]}`);
      place = next;
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

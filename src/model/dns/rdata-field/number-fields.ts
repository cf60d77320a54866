/** Integers of one, two and four bytes, in decimal or another presentation. */
import { daySeconds, hourSeconds, minuteSeconds } from '../../durations.ts';
import { typeNumber, typeText } from '../rr-type.ts';
import { fixedExtent, type RdataField } from './rdata-field.ts';
import type { WireWriter } from './wire-writer.ts';

type Size = 1 | 2 | 4;

export function readNumber(bytes: Uint8Array, at: number, size: Size): number {
  let value = 0;
  for (let index = 0; index < size; index++) value = value * 256 + (bytes[at + index] as number);
  return value;
}

function putNumber(out: WireWriter, value: number, size: Size): void {
  if (size === 1) out.put8(value);
  else if (size === 2) out.put16(value);
  else out.put32(value);
}

/** A decimal number that fits into `size` bytes. */
export function parseNumber(text: string, size: Size): number | undefined {
  if (text.length === 0 || text.length > 10) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value < 256 ** size ? value : undefined;
}

function numberField(
  size: Size,
  text: (value: number) => string,
  parse: (word: string) => number | undefined,
): RdataField {
  return {
    extent: fixedExtent(size),
    text: (bytes, at) => text(readNumber(bytes, at, size)),
    parse: (words, out) => {
      const word = words.nextShort();
      const value = word === undefined ? undefined : parse(word);
      if (value === undefined) return false;
      putNumber(out, value, size);
      return true;
    },
  };
}

const plain = (size: Size) => numberField(size, String, (word) => parseNumber(word, size));

export const u8 = plain(1);
export const u16 = plain(2);
export const u32 = plain(4);

export const typeField = numberField(2, typeText, typeNumber);

/** Formatted as a number, parsed as a number or one of these names. */
function namedNumber(size: Size, names: Readonly<Record<string, number>>): RdataField {
  const byName = new Map(Object.entries(names));
  return numberField(size, String, (word) => parseNumber(word, size) ?? byName.get(word.toUpperCase()));
}

/** DNSSEC algorithms by the mnemonics of IANA and of BIND. */
export const algorithm = namedNumber(1, {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  'DSA-NSEC3-SHA1': 6,
  NSEC3DSA: 6,
  'RSASHA1-NSEC3-SHA1': 7,
  NSEC3RSASHA1: 7,
  RSASHA256: 8,
  RSASHA512: 10,
  'ECC-GOST': 12,
  ECCGOST: 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
});

export const certificateType = namedNumber(2, {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
});

export const dsyncScheme = namedNumber(1, { NOTIFY: 1 });

const unitSeconds: Readonly<Record<string, number>> = {
  W: 7 * daySeconds,
  D: daySeconds,
  H: hourSeconds,
  M: minuteSeconds,
  S: 1,
};

/** A duration as a number of seconds, or as `1w2d3h4m5s`. */
export const seconds = numberField(4, String, (word) => {
  const plainNumber = parseNumber(word, 4);
  if (plainNumber !== undefined || !/^(?:\d{1,10}[wdhms]){1,5}$/i.test(word)) return plainNumber;
  let total = 0;
  for (const [, count, unit = ''] of word.matchAll(/(\d+)([a-z])/gi)) {
    total += Number(count) * (unitSeconds[unit.toUpperCase()] as number);
  }
  return total < 2 ** 32 ? total : undefined;
});

/** A timestamp as `YYYYMMDDHHmmSS`; parsed as epoch seconds too. */
export const time = numberField(4, timeText, (word) => {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(word);
  if (!parts) return parseNumber(word, 4);
  const [year, month, ...rest] = parts.slice(1).map(Number) as [number, number, ...number[]];
  const value = Date.UTC(year, month - 1, ...rest) / 1000;
  // An invalid date, such as the 31st of February, does not round-trip.
  return value >= 0 && value < 2 ** 32 && timeText(value) === word ? value : undefined;
});

function timeText(value: number): string {
  return new Date(value * 1000).toISOString().replaceAll(/[-T:]|\..*/g, '');
}

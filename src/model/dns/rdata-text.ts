/** Converts rdata between wire and presentation form: by the layout of its type, else in the generic form of RFC 3597. */
import { ipv6Bytes, putIpv4, putIpv6 } from './ip-address.ts';
import { hexText, putHex } from './rdata-field/binary-fields.ts';
import { name } from './rdata-field/name-fields.ts';
import { parseNumber, u16 } from './rdata-field/number-fields.ts';
import { WireWriter } from './rdata-field/wire-writer.ts';
import { Words } from './rdata-field/words.ts';
import { layoutsByType, type RdataLayout } from './rdata-layout.ts';
import { canonicalRdata } from './rdata-wire.ts';
import { typeOf } from './rr-type.ts';
import type { WireName } from './rrset.ts';
import { writePlainName } from './write-name.ts';

const genericMark = '\\#';
const isGeneric = /^[ \t\r\n]*\\#(?:[ \t\r\n]|$)/;

/** Never empty; rdata that is invalid for its type is formatted in the generic form. */
export function rdataText(type: number, rdata: Uint8Array): string {
  const layout = layoutsByType.get(type);
  return (layout && layoutText(layout, rdata)) || genericText(rdata);
}

function layoutText(layout: RdataLayout, rdata: Uint8Array): string | undefined {
  let text = '';
  let offset = 0;
  for (const field of layout) {
    const next = field.extent(rdata, offset, rdata.length);
    if (next === undefined) return undefined;
    const part = field.text(rdata, offset, next);
    if (part !== '') text = text === '' ? part : `${text} ${part}`;
    offset = next;
  }
  return offset === rdata.length ? text : undefined;
}

function genericText(rdata: Uint8Array): string {
  if (rdata.length === 0) return `${genericMark} 0`;
  return `${genericMark} ${rdata.length} ${hexText(rdata, 0, rdata.length)}`;
}

const out = new WireWriter();

/**
 * Presentation to wire, with names in lower case. Names without a final dot are relative to `origin` if it is given, and absolute
 * otherwise. Undefined for invalid rdata, or more than can be stored.
 */
export function parseRdata(type: number, text: string, origin?: WireName): Uint8Array | undefined {
  out.length = 0;
  if (putCommon(type, text, origin)) return out.finish();
  out.length = 0;
  const words = new Words(text, origin);
  if (words.areOver) return undefined;
  const layout = layoutsByType.get(type);
  if (isGeneric.test(text)) {
    const bytes = parseGeneric(words);
    return bytes && canonicalRdata(type, bytes);
  }
  if (!layout?.every((field) => field.parse(words, out))) return undefined;
  return words.areOver ? out.finish() : undefined;
}

function parseGeneric(words: Words): Uint8Array | undefined {
  if (words.nextShort() !== genericMark) return undefined;
  const length = parseNumber(words.nextShort() ?? '', 2);
  const digits = words.rest();
  if (!digits || !putHex(digits, out) || out.length !== length) return undefined;
  return out.finish();
}

const [a, aaaa] = [typeOf('A'), typeOf('AAAA')];

/** Fast path for the most frequent types, without splitting the text into words. False where that does not suffice. */
function putCommon(type: number, text: string, origin: WireName | undefined): boolean {
  if (type === a) {
    out.length = 4;
    return putIpv4(text, 0, out.bytes, 0);
  }
  if (type === aaaa) {
    out.length = ipv6Bytes;
    return putIpv6(text, out.bytes, 0);
  }
  const layout = layoutsByType.get(type);
  if (layout?.[0] === name && layout.length === 1) return putPlainName(text, 0, origin);
  if (layout?.[0] !== u16 || layout[1] !== name || layout.length !== 2) return false;
  const gap = text.indexOf(' ');
  const preference = gap < 0 ? undefined : parseNumber(text.slice(0, gap), 2);
  if (preference === undefined) return false;
  out.put16(preference);
  return putPlainName(text, gap + 1, origin);
}

function putPlainName(text: string, from: number, origin: WireName | undefined): boolean {
  const end = writePlainName(text, from, text.length, out.bytes, out.length, origin);
  if (end === undefined) return false;
  out.length = end;
  return true;
}

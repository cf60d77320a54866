/** Rdata in wire form: extraction from messages, canonical form, and the names in it. */

import { compressedNameEnd, expandName } from './compressed-name.ts';
import { nameLength } from './name.ts';
import { name } from './rdata-field/name-fields.ts';
import { strings } from './rdata-field/string-fields.ts';
import { WireWriter } from './rdata-field/wire-writer.ts';
import { layoutsByType, type RdataLayout } from './rdata-layout.ts';
import { rdataBytesMax, type WireName } from './rrset.ts';

const out = new WireWriter();

/**
 * The rdata of `length` bytes at `at` in a DNS message, with its names decompressed and in lower case. Undefined when it is
 * invalid for its type; types without a layout are always valid.
 */
export function expandRdata(
  message: Uint8Array,
  at: number,
  length: number,
  type: number,
): Uint8Array | undefined {
  return at + length > message.length ? undefined : canonical(message, at, at + length, type, true);
}

/** The same for rdata outside a message, where names cannot be compressed. */
export function canonicalRdata(type: number, rdata: Uint8Array): Uint8Array | undefined {
  return canonical(rdata, 0, rdata.length, type, false);
}

function canonical(
  bytes: Uint8Array,
  at: number,
  end: number,
  type: number,
  mayPoint: boolean,
): Uint8Array | undefined {
  if (end - at > rdataBytesMax) return undefined;
  const layout = layoutsByType.get(type);
  if (!layout) return copied(bytes, at, end);
  out.length = 0;
  let offset = at;
  for (const field of layout) {
    const isName = field.isName?.(bytes, offset) ?? false;
    const next =
      isName && mayPoint ? compressedNameEnd(bytes, offset, end) : field.extent(bytes, offset, end);
    if (next === undefined) return undefined;
    if (isName) {
      const outEnd = expandName(bytes, offset, out.bytes, out.length);
      if (outEnd === undefined) return undefined;
      out.length = outEnd;
    } else if (field === strings && offset === end) {
      out.put8(0);
    } else if (field.canonical) {
      if (!field.canonical(bytes, { at: offset, end: next }, out)) return undefined;
    } else {
      for (; offset < next; offset++) out.put8(bytes[offset] as number);
    }
    offset = next;
  }
  return offset === end ? out.finish() : undefined;
}

/** For types with names in their rdata: the fields up to the last name. */
const leadingFields: ReadonlyMap<number, RdataLayout> = new Map(
  [...layoutsByType]
    .filter(([, layout]) => layout.includes(name))
    .map(([type, layout]) => [type, layout.slice(0, layout.lastIndexOf(name) + 1)]),
);

const noNames: readonly WireName[] = [];

/**
 * The distinct names by which an inverse lookup finds this rdata, including the root. Where the rdata is a single name, the
 * result contains that very array.
 */
export function namesIn(type: number, rdata: Uint8Array): readonly WireName[] {
  const fields = leadingFields.get(type);
  if (!fields) return noNames;
  if (fields.length === 1 && nameLength(rdata, 0) === rdata.length) return [rdata];
  const names: WireName[] = [];
  let offset = 0;
  for (const field of fields) {
    const next = field.extent(rdata, offset, rdata.length);
    if (next === undefined) return noNames;
    if (field === name) {
      const found = copied(rdata, offset, next);
      if (!names.some((other) => Buffer.compare(other, found) === 0)) names.push(found);
    }
    offset = next;
  }
  return names;
}

/** Not `slice`, which does not copy a Buffer. */
function copied(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes.subarray(from, to));
}

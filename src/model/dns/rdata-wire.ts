/** Rdata in wire form: taken out of messages, put in its one canonical form, and searched for names. */
import { nameLength } from './name.ts';
import { expandName, packedNameEnd } from './packed-name.ts';
import { name } from './rdata-field/name-fields.ts';
import { strings } from './rdata-field/string-fields.ts';
import { WireWriter } from './rdata-field/wire-writer.ts';
import { layoutsByType, type RdataLayout } from './rdata-layout.ts';
import { rdataBytesMax, type WireName } from './rrset.ts';

const out = new WireWriter();

/**
 * The rdata of `length` bytes at `at` in a DNS message, with its names decompressed and in lower case. Undefined when it
 * does not fit its type; types without a known layout always fit.
 */
export function expandRdata(
  message: Uint8Array,
  at: number,
  length: number,
  type: number,
): Uint8Array | undefined {
  return at + length > message.length ? undefined : canonical(message, at, at + length, type, true);
}

/** The same for rdata by itself, where names cannot be compressed. */
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
  let place = at;
  for (const field of layout) {
    const isName = field.isName?.(bytes, place) ?? false;
    const next = isName && mayPoint ? packedNameEnd(bytes, place, end) : field.extent(bytes, place, end);
    if (next === undefined) return undefined;
    if (isName) {
      const outEnd = expandName(bytes, place, out.bytes, out.length);
      if (outEnd === undefined) return undefined;
      out.length = outEnd;
    } else if (field === strings && place === end) {
      out.put8(0);
    } else {
      for (; place < next; place++) out.put8(bytes[place] as number);
    }
    place = next;
  }
  return place === end ? out.taken() : undefined;
}

/** For types whose records are found by the names in them: the fields up to the last of these names. */
const leadingFields: ReadonlyMap<number, RdataLayout> = new Map(
  [...layoutsByType]
    .filter(([, layout]) => layout.includes(name))
    .map(([type, layout]) => [type, layout.slice(0, layout.lastIndexOf(name) + 1)]),
);

const noNames: readonly WireName[] = [];

/**
 * The names by which an inverse lookup finds this rdata, each once, the root included. A name that is all of the rdata is
 * given as that very array.
 */
export function namesIn(type: number, rdata: Uint8Array): readonly WireName[] {
  const fields = leadingFields.get(type);
  if (!fields) return noNames;
  if (fields.length === 1 && nameLength(rdata, 0) === rdata.length) return [rdata];
  const names: WireName[] = [];
  let place = 0;
  for (const field of fields) {
    const next = field.extent(rdata, place, rdata.length);
    if (next === undefined) return noNames;
    if (field === name) {
      const found = copied(rdata, place, next);
      if (!names.some((other) => Buffer.compare(other, found) === 0)) names.push(found);
    }
    place = next;
  }
  return names;
}

/** Not `slice`, which for a Buffer gives no copy. */
function copied(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes.subarray(from, to));
}

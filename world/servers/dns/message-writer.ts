/** DNS messages onto the wire (RFC 1035, section 4), names in answers compressed against those before them. */

import { optType } from '../../../src/model/dns/message.ts';
import { parseName } from '../../../src/model/dns/name.ts';
import type { WorldRecord } from './findings.ts';

export interface WrittenMessage {
  readonly id: number;
  readonly flags: number;
  /** As it stands in the query, letter case and all; undefined: without. */
  readonly question: Uint8Array | undefined;
  readonly sections: readonly (readonly WorldRecord[])[];
  /** UDP size and extended response code for the OPT record; undefined: no OPT record. */
  readonly opt: { readonly bytesMax: number; readonly extendedRcode: number } | undefined;
}

const headerBytes = 12;
const pointerMax = 0x3fff;
const classIn = 1;

export function writeMessage({ id, flags, question, sections, opt }: WrittenMessage): Uint8Array {
  const counts = [0, 1, 2].map((index) => sections[index]?.length ?? 0) as [number, number, number];
  const header = [id, flags, question ? 1 : 0, counts[0], counts[1], counts[2] + (opt ? 1 : 0)];
  const parts: Uint8Array[] = [words(...header)];
  let length = headerBytes;
  const put = (part: Uint8Array) => {
    parts.push(part);
    length += part.length;
  };
  if (question) put(question);
  const places = new Map<string, number>();
  for (const { owner, type, ttlSeconds, rdata } of sections.flat()) {
    const place = places.get(owner);
    if (place === undefined && length <= pointerMax) places.set(owner, length);
    put(place === undefined ? (parseName(owner) ?? Uint8Array.of(0)) : words(0xc000 | place));
    put(words(type, classIn, ttlSeconds >>> 16, ttlSeconds & 0xffff, rdata.length));
    put(rdata);
  }
  if (opt) {
    put(Uint8Array.of(0));
    put(words(optType, opt.bytesMax, opt.extendedRcode << 8, 0, 0));
  }
  return Buffer.concat(parts);
}

/** A query as a client sends it to its resolver. */
export function writeQuery(id: number, name: string, type: number): Uint8Array {
  const recursionDesired = 0x0100;
  const question = Buffer.concat([parseName(name) ?? Uint8Array.of(0), words(type, classIn)]);
  return writeMessage({ id, flags: recursionDesired, question, sections: [], opt: undefined });
}

function words(...values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16BE(value, 2 * index));
  return bytes;
}

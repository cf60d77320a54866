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
const nameBytesMax = 255;
/** Type, class, TTL and length of a record. */
const recordWordsBytes = 10;
const optBytes = 11;
const rootName = Uint8Array.of(0);
const pointerMax = 0x3fff;
const classIn = 1;

export function writeMessage({ id, flags, question, sections, opt }: WrittenMessage): Uint8Array {
  const records = sections.flat();
  const bytes = Buffer.allocUnsafe(bytesAtMost(question, records));
  let length = 0;
  const putWords = (...values: readonly number[]) => {
    for (const value of values) length = bytes.writeUInt16BE(value, length);
  };
  const put = (part: Uint8Array) => {
    bytes.set(part, length);
    length += part.length;
  };
  const [answers = 0, authorities = 0, additional = 0] = sections.map((section) => section.length);
  putWords(id, flags, question ? 1 : 0, answers, authorities, additional + (opt ? 1 : 0));
  if (question) put(question);
  const places = new Map<string, number>();
  for (const { owner, type, ttlSeconds, rdata } of records) {
    const place = places.get(owner);
    if (place === undefined && length <= pointerMax) places.set(owner, length);
    if (place === undefined) put(parseName(owner) ?? rootName);
    else putWords(0xc000 | place);
    putWords(type, classIn, ttlSeconds >>> 16, ttlSeconds & 0xffff, rdata.length);
    put(rdata);
  }
  if (opt) {
    put(rootName);
    putWords(optType, opt.bytesMax, opt.extendedRcode << 8, 0, 0);
  }
  return bytes.subarray(0, length);
}

/** With every name written out. */
function bytesAtMost(question: Uint8Array | undefined, records: readonly WorldRecord[]): number {
  const record = nameBytesMax + recordWordsBytes;
  return records.reduce(
    (sum, { rdata }) => sum + record + rdata.length,
    headerBytes + (question?.length ?? 0) + optBytes,
  );
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

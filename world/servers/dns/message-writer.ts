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

const rootName = Uint8Array.of(0);
const pointerMax = 0x3fff;
const classIn = 1;

/** Memory that every message is written in, and copied from: it grows with the longest. */
class Draft {
  length = 0;
  #memory = Buffer.alloc(4096);

  bytes(some: Uint8Array): void {
    this.#reserve(some.length);
    this.#memory.set(some, this.length);
    this.length += some.length;
  }

  words(...values: readonly number[]): void {
    this.#reserve(2 * values.length);
    for (const value of values) this.length = this.#memory.writeUInt16BE(value, this.length);
  }

  copy(): Uint8Array {
    return Buffer.from(this.#memory.subarray(0, this.length));
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#memory.length) return;
    const larger = Buffer.alloc(2 * (this.length + count));
    larger.set(this.#memory);
    this.#memory = larger;
  }
}

const draft = new Draft();

export function writeMessage({ id, flags, question, sections, opt }: WrittenMessage): Uint8Array {
  const [answers = 0, authorities = 0, additional = 0] = sections.map((section) => section.length);
  draft.length = 0;
  draft.words(id, flags, question ? 1 : 0, answers, authorities, additional + (opt ? 1 : 0));
  if (question) draft.bytes(question);
  const places = new Map<string, number>();
  for (const { owner, type, ttlSeconds, rdata } of sections.flat()) {
    const place = places.get(owner);
    if (place === undefined && draft.length <= pointerMax) places.set(owner, draft.length);
    if (place === undefined) draft.bytes(parseName(owner) ?? rootName);
    else draft.words(0xc000 | place);
    draft.words(type, classIn, ttlSeconds >>> 16, ttlSeconds & 0xffff, rdata.length);
    draft.bytes(rdata);
  }
  if (opt) {
    draft.bytes(rootName);
    draft.words(optType, opt.bytesMax, opt.extendedRcode << 8, 0, 0);
  }
  return draft.copy();
}

/** A query as a client sends it to its resolver. */
export function writeQuery(id: number, name: string, type: number): Uint8Array {
  const recursionDesired = 0x0100;
  draft.length = 0;
  draft.bytes(parseName(name) ?? rootName);
  draft.words(type, classIn);
  return writeMessage({ id, flags: recursionDesired, question: draft.copy(), sections: [], opt: undefined });
}

/**
 * Encodes DNS messages whose records all belong to the zone in the question: names below it are compressed with one pointer, and no other name is.
 */
import type { WireName } from './rrset.ts';
import { nameBytesMax } from './write-name.ts';

export interface MessageHead {
  readonly id: number;
  readonly opcode?: number;
  readonly isResponse?: boolean;
  readonly isAuthoritative?: boolean;
  readonly rcode?: number;
  /** In wire form with type and class, as the request had it. Undefined: none. */
  readonly question?: Uint8Array | undefined;
}

export interface WireRecord {
  /** Labels below the zone, in wire form without the end; empty for the zone itself. */
  readonly labels: Uint8Array;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

const headerBytes = 12;
const zonePointer = Buffer.of(0xc0, headerBytes);
const internetClass = 1;

export class MessageWriter {
  readonly #head: MessageHead;
  readonly #answers: Uint8Array[] = [];
  #opt: Uint8Array | undefined;
  length: number;

  constructor(head: MessageHead) {
    this.#head = head;
    this.length = headerBytes + (head.question?.length ?? 0);
  }

  addAnswer(record: WireRecord): void {
    const bytes = encodeRecord(record);
    this.#answers.push(bytes);
    this.length += bytes.length;
  }

  /** EDNS: that we have it, and how large a datagram may be. */
  addOpt(payloadBytes: number, extendedRcode = 0): void {
    this.#opt = Buffer.of(0, 0, 41, payloadBytes >>> 8, payloadBytes & 255, extendedRcode, 0, 0, 0, 0, 0);
    this.length += this.#opt.length;
  }

  finish(): Buffer {
    const { id, opcode = 0, isResponse = true, isAuthoritative = false, rcode = 0, question } = this.#head;
    const header = Buffer.alloc(headerBytes);
    header.writeUInt16BE(id, 0);
    const flags =
      (Number(isResponse) << 15) | (opcode << 11) | (Number(isAuthoritative) << 10) | (rcode & 15);
    header.writeUInt16BE(flags, 2);
    header.writeUInt16BE(question ? 1 : 0, 4);
    header.writeUInt16BE(this.#answers.length, 6);
    header.writeUInt16BE(this.#opt ? 1 : 0, 10);
    return Buffer.concat([
      header,
      ...(question ? [question] : []),
      ...this.#answers,
      ...(this.#opt ? [this.#opt] : []),
    ]);
  }
}

function encodeRecord({ labels, type, ttl, rdata }: WireRecord): Buffer {
  const record = Buffer.allocUnsafe(labels.length + zonePointer.length + 10 + rdata.length);
  record.set(labels, 0);
  let at = labels.length;
  record.set(zonePointer, at);
  at += zonePointer.length;
  record.writeUInt16BE(type, at);
  record.writeUInt16BE(internetClass, at + 2);
  record.writeUInt32BE(ttl, at + 4);
  record.writeUInt16BE(rdata.length, at + 8);
  record.set(rdata, at + 10);
  return record;
}

/** Labels of a name of plain host characters, without the end; undefined if it is too long to be below the zone. */
export function labelsBelow(name: string, zone: WireName): Uint8Array | undefined {
  if (name.length + 1 + zone.length > nameBytesMax) return undefined;
  const labels = Buffer.allocUnsafe(name.length + 1);
  labels.write(`.${name}`, 'latin1');
  let start = 0;
  for (let at = 1; at <= labels.length; at += 1) {
    if (at < labels.length && labels[at] !== 0x2e) continue;
    labels[start] = at - start - 1;
    start = at;
  }
  return labels;
}

/**
 * Decodes DNS messages (RFC 1035, section 4). Malformed ones give undefined; bytes after the last record are ignored, as
 * resolvers do. The time is linear in the length of the message.
 */
import { compressedNameEnd, expandName } from './compressed-name.ts';
import { expandRdata } from './rdata-wire.ts';
import type { WireName } from './rrset.ts';
import { nameBytesMax } from './write-name.ts';

export interface DnsHeader {
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  /** The low four bits in a header; in a message, with the eight bits that OPT adds. */
  readonly rcode: number;
}

export interface DnsQuestion {
  readonly name: WireName;
  readonly type: number;
  readonly class: number;
}

export interface DnsRecord {
  readonly section: 'answer' | 'authority' | 'additional';
  readonly owner: WireName;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  /** Uncompressed, names in lower case. */
  readonly rdata: Uint8Array;
}

export interface DnsMessage extends DnsHeader {
  /** The first one; messages with more do not occur in practice. */
  readonly question: DnsQuestion | undefined;
  readonly records: readonly DnsRecord[];
}

const headerBytes = 12;
const messageBytesMax = 65_535;
const sections = ['answer', 'authority', 'additional'] as const;

export const optType = 41;

/** The header alone, for callers that can discard a message by it. */
export function readHeader(bytes: Uint8Array): DnsHeader | undefined {
  if (bytes.length < headerBytes || bytes.length > messageBytesMax) return undefined;
  const flags = u16(bytes, 2);
  return {
    isResponse: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 15,
    isAuthoritative: (flags & 0x0400) !== 0,
    isTruncated: (flags & 0x0200) !== 0,
    rcode: flags & 15,
  };
}

export function readMessage(bytes: Uint8Array): DnsMessage | undefined {
  const header = readHeader(bytes);
  if (!header) return undefined;
  const cursor = new Cursor(bytes);
  let question: DnsQuestion | undefined;
  for (let left = u16(bytes, 4); left > 0; left--) {
    const read = cursor.question();
    if (!read) return undefined;
    question ??= read;
  }
  const records: DnsRecord[] = [];
  let { rcode } = header;
  for (const [index, section] of sections.entries()) {
    for (let left = u16(bytes, 6 + 2 * index); left > 0; left--) {
      const record = cursor.record(section);
      if (!record) return undefined;
      if (record.type === optType) rcode |= (record.ttl >>> 24) << 4;
      records.push(record);
    }
  }
  return { ...header, rcode, question, records };
}

/** A reader of a message; each method advances it, or returns undefined for malformed input. */
class Cursor {
  readonly #bytes: Uint8Array;
  #at = headerBytes;
  /** The offset of the name read last: most records have a pointer to the owner of the one before. */
  #lastStart = -1;
  #lastName: WireName = new Uint8Array(1);

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  question(): DnsQuestion | undefined {
    const name = this.#name();
    const at = this.#at;
    if (!name || at + 4 > this.#bytes.length) return undefined;
    this.#at = at + 4;
    return { name, type: u16(this.#bytes, at), class: u16(this.#bytes, at + 2) };
  }

  record(section: DnsRecord['section']): DnsRecord | undefined {
    const bytes = this.#bytes;
    const owner = this.#name();
    const at = this.#at;
    if (!owner || at + 10 > bytes.length) return undefined;
    const type = u16(bytes, at);
    const length = u16(bytes, at + 8);
    this.#at = at + 10 + length;
    if (this.#at > bytes.length) return undefined;
    const rdata = expandRdata(bytes, at + 10, length, type);
    if (!rdata) return undefined;
    return { section, owner, type, class: u16(bytes, at + 2), ttl: u32(bytes, at + 4), rdata };
  }

  #name(): WireName | undefined {
    const at = this.#at;
    const isPointer = (this.#bytes[at] ?? 0) >= 0xc0;
    const start = isPointer ? u16(this.#bytes, at) & 0x3fff : at;
    if (isPointer && start === this.#lastStart) {
      this.#at = at + 2;
      return this.#lastName;
    }
    const end = compressedNameEnd(this.#bytes, at, this.#bytes.length);
    const length = end && expandName(this.#bytes, at, scratch, 0);
    if (!end || !length) return undefined;
    this.#at = end;
    this.#lastStart = start;
    this.#lastName = scratch.slice(0, length);
    return this.#lastName;
  }
}

/** A scratch buffer for names, whose length is not known in advance. */
const scratch = new Uint8Array(nameBytesMax);

/** Bytes past the end read as zero; callers check the length. */
function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 0x1_0000 + u16(bytes, at + 2);
}

/**
 * DNS messages as they stand on the wire (RFC 1035, section 4). Whatever is malformed gives undefined; bytes after the
 * last record are passed over, as resolvers do. The time is linear in the length of the message.
 */
import { expandName, packedNameEnd } from './packed-name.ts';
import { expandRdata } from './rdata-wire.ts';
import type { WireName } from './rrset.ts';
import { nameBytesMax } from './write-name.ts';

export interface DnsHeader {
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  /** Four bits in a header; the eight that OPT adds are in a message's. */
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
  /** The first one; messages with more do not occur. */
  readonly question: DnsQuestion | undefined;
  readonly records: readonly DnsRecord[];
}

const headerBytes = 12;
const messageBytesMax = 65_535;
const sections = ['answer', 'authority', 'additional'] as const;

export const optType = 41;

/** The header alone, for those who can tell from it that the rest does not matter. */
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

/** A place in a message; each reading moves it on, or gives undefined when what stands there is malformed. */
class Cursor {
  readonly #bytes: Uint8Array;
  #at = headerBytes;
  /** Where the name read last begins: most records point at the owner of the one before. */
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
    const end = packedNameEnd(this.#bytes, at, this.#bytes.length);
    const length = end && expandName(this.#bytes, at, scratch, 0);
    if (!end || !length) return undefined;
    this.#at = end;
    this.#lastStart = start;
    this.#lastName = scratch.slice(0, length);
    return this.#lastName;
  }
}

/** Where a name is put together before its length is known. */
const scratch = new Uint8Array(nameBytesMax);

/** What lies behind the end reads as zero; callers look at the length. */
function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 0x1_0000 + u16(bytes, at + 2);
}

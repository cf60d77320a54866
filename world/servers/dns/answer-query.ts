/** From the bytes of a query to the bytes of its answer. Whatever comes in, something sensible goes out, or nothing. */
import { type DnsMessage, optType, readHeader, readMessage } from '../../../src/model/dns/message.ts';
import { nameText } from '../../../src/model/dns/name.ts';
import type { Finding } from './findings.ts';
import { writeMessage } from './message-writer.ts';

export interface NameKnowledge {
  lookUp(name: string, type: number): Finding;
}

export const messageBytesMax = 65_535;
const plainBytesMax = 512;
const udpBytesMax = 4096;
const offeredBytes = 1232;
const headerBytes = 12;
const classIn = 1;
/** Transfers, and types that are no data. */
const refusedTypes = new Set([249, 250, 251, 252, 253, 254]);
const rcodes = { NOERROR: 0, FORMERR: 1, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, BADVERS: 16 } as const;
type Rcode = keyof typeof rcodes;

const [response, authoritative, truncated, recursionDesired, recursionAvailable] = [
  0x8000, 0x0400, 0x0200, 0x0100, 0x0080,
];

/** Undefined: no reply is sent, because there is no valid query to reply to. */
export function answerQuery(
  query: Uint8Array,
  over: 'udp' | 'tcp',
  knowledge: NameKnowledge,
): Uint8Array | undefined {
  const header = readHeader(query);
  if (!header || header.isResponse) return undefined;
  if (header.opcode !== 0) return withoutRecords(query, undefined, 'NOTIMP', undefined);
  const message = readMessage(query);
  const question = message && questionBytes(query, message);
  const opts = message?.records.filter(({ type }) => type === optType) ?? [];
  if (!message?.question || !question || opts.length > 1) {
    return withoutRecords(query, undefined, 'FORMERR', undefined);
  }
  const [opt] = opts;
  if (opt && ((opt.ttl >>> 16) & 255) > 0) return withoutRecords(query, question, 'BADVERS', opt);
  const { name, type, class: questionClass } = message.question;
  if (questionClass !== classIn || refusedTypes.has(type)) {
    return withoutRecords(query, question, 'REFUSED', opt);
  }
  const { rcode, answer, authority, additional } = knowledge.lookUp(nameText(name).slice(0, -1), type);
  const sections = [answer, authority, additional];
  const parts = { ...frameOf(query, rcode, opt), question, sections };
  const bytesMax = over === 'tcp' ? messageBytesMax : clientBytes(opt);
  const whole = writeMessage(parts);
  if (whole.length <= bytesMax) return whole;
  return writeMessage({ ...parts, flags: parts.flags | truncated, sections: [] });
}

type OptRecord = DnsMessage['records'][number] | undefined;

function withoutRecords(
  query: Uint8Array,
  question: Uint8Array | undefined,
  rcode: Rcode,
  opt: OptRecord,
): Uint8Array {
  return writeMessage({ ...frameOf(query, rcode, opt), question, sections: [] });
}

/** It answers for all zones at once, so it is the authority and the resolver. */
function frameOf(query: Uint8Array, rcode: Rcode, opt: OptRecord) {
  const flags = u16(query, 2);
  const number = rcodes[rcode];
  const authority = rcode === 'NOERROR' || rcode === 'NXDOMAIN' ? authoritative : 0;
  const kept = flags & (0x7800 | recursionDesired);
  return {
    id: u16(query, 0),
    flags: response | authority | recursionAvailable | kept | (number & 15),
    opt: opt && { bytesMax: offeredBytes, extendedRcode: number >> 4 },
  };
}

/** Undefined unless there is one question, and its name is written out. */
function questionBytes(query: Uint8Array, { question }: DnsMessage): Uint8Array | undefined {
  if (u16(query, 4) !== 1 || !question) return undefined;
  const bytes = query.slice(headerBytes, headerBytes + question.name.length + 4);
  for (let at = 0; at < question.name.length; at += 1 + (bytes[at] as number)) {
    if (bytes[at] !== question.name[at]) return undefined;
  }
  return bytes;
}

function clientBytes(opt: OptRecord): number {
  return opt ? Math.min(udpBytesMax, Math.max(plainBytesMax, opt.class)) : plainBytesMax;
}

function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

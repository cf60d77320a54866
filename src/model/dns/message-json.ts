/**
 * A DNS message in the JSON form that nmsg gives it: header, question, and the records of each section in presentation form,
 * grouped by owner, type, class and TTL. OPT is part of the header, and of its options only the extended error is
 * included: the others may identify a client.
 */
import { extendedErrorOption } from './conceal-client.ts';
import { type DnsMessage, type DnsQuestion, type DnsRecord, optType } from './message.ts';
import { nameText } from './name.ts';
import { rcodeText } from './rcode.ts';
import { rdataText } from './rdata-text.ts';
import { classText } from './rr-class.ts';
import { typeText } from './rr-type.ts';

const anyType = 255;
const flagBits = { qr: 0x8000, aa: 0x0400, tc: 0x0200, rd: 0x0100, ra: 0x0080, ad: 0x0020, cd: 0x0010 };
const dnssecOkBit = 0x8000;

/** `bytes` is the same message on the wire, for the header fields that `DnsMessage` omits. Only for messages with opcode 0. */
export function messageJson(message: DnsMessage, bytes: Uint8Array): object {
  const wire = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const flags = wire.readUInt16BE(2);
  const { question, records, rcode } = message;
  const opt = records.find(({ type }) => type === optType);
  return {
    header: {
      opcode: 'QUERY',
      rcode: rcodeText(rcode),
      id: wire.readUInt16BE(0),
      flags: Object.entries(flagBits)
        .filter(([, bit]) => (flags & bit) !== 0)
        .map(([name]) => name),
      ...(opt && { opt: { edns: ednsJson(opt) } }),
    },
    question: question ? [questionJson(question)] : [],
    answer: sectionJson(records, 'answer'),
    authority: sectionJson(records, 'authority'),
    additional: sectionJson(records, 'additional'),
  };
}

/** A question may be for ANY, which is not a record type. */
export function questionTypeText(type: number): string {
  return type === anyType ? 'ANY' : typeText(type);
}

function questionJson({ name, type, class: questionClass }: DnsQuestion): object {
  return { qname: nameText(name), qclass: classText(questionClass), qtype: questionTypeText(type) };
}

function ednsJson({ class: udp, ttl, rdata }: DnsRecord): object {
  return {
    version: (ttl >>> 16) & 255,
    flags: (ttl & dnssecOkBit) === 0 ? [] : ['do'],
    udp,
    options: explanationsIn(Buffer.from(rdata)),
  };
}

function explanationsIn(rdata: Buffer): object[] {
  const found: object[] = [];
  for (let at = 0; at + 4 <= rdata.length; ) {
    const next = at + 4 + rdata.readUInt16BE(at + 2);
    if (next > rdata.length) break;
    const code = rdata.readUInt16BE(at);
    if (code === extendedErrorOption) found.push({ code, data: rdata.toString('hex', at + 4, next) });
    at = next;
  }
  return found;
}

interface RecordsJson {
  readonly rrname: string;
  readonly rrttl: number;
  readonly rrclass: string;
  readonly rrtype: string;
  readonly rdata: string[];
}

function sectionJson(records: readonly DnsRecord[], section: DnsRecord['section']): RecordsJson[] {
  const shown: RecordsJson[] = [];
  for (const record of records) {
    if (record.section !== section || record.type === optType) continue;
    const next = recordsJson(record);
    const last = shown.at(-1);
    if (last && isSameSet(last, next)) last.rdata.push(...next.rdata);
    else shown.push(next);
  }
  return shown;
}

function recordsJson({ owner, type, class: recordClass, ttl, rdata }: DnsRecord): RecordsJson {
  return {
    rrname: nameText(owner),
    rrttl: ttl,
    rrclass: classText(recordClass),
    rrtype: typeText(type),
    rdata: [rdataText(type, rdata)],
  };
}

function isSameSet(one: RecordsJson, other: RecordsJson): boolean {
  return (
    one.rrname === other.rrname &&
    one.rrtype === other.rrtype &&
    one.rrclass === other.rrclass &&
    one.rrttl === other.rrttl
  );
}

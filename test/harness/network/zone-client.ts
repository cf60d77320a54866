/**
 * A secondary of DNS zones, written from RFC 1995, 5936 and 8945 and sharing no code with the server but the reader of messages: asks for SOA, AXFR and IXFR,
 * signs, and checks the signature of every message that it gets.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type DnsMessage, type DnsRecord, readMessage } from '../../../src/model/dns/message.ts';
import { nameText } from '../../../src/model/dns/name.ts';
import { encodeMessage, type WrittenRecord, wireName } from './encode-dns-message.ts';

export const types = { soa: 6, ns: 2, cname: 5, ixfr: 251, axfr: 252, any: 255, a: 1 } as const;

export interface ClientKey {
  readonly name: string;
  readonly algorithm: 'hmac-sha256' | 'hmac-sha512';
  readonly secret: Buffer;
}

export interface ZoneQuestion {
  readonly zone: string;
  readonly type: number;
  readonly class?: number;
  /** For IXFR. */
  readonly serial?: number;
  readonly flags?: number;
  /** EDNS with this version. */
  readonly edns?: number;
  readonly key?: ClientKey | undefined;
  readonly timeSigned?: number;
  readonly macBytes?: number;
}

export interface SignedRequest {
  readonly bytes: Buffer;
  readonly mac: Buffer | undefined;
}

export interface ZoneAnswer {
  readonly messages: readonly DnsMessage[];
  readonly raw: readonly Buffer[];
  /** Of all messages. */
  readonly records: readonly DnsRecord[];
  readonly rcode: number;
  /** The error of the TSIG record of the first message. */
  readonly tsigError: number | undefined;
}

let lastId = 0;

export function encodeRequest(question: ZoneQuestion, nowSeconds: number): SignedRequest {
  const { zone, type, serial, edns, key } = question;
  lastId = (lastId + 1) % 65_536;
  const records: WrittenRecord[] = [];
  if (serial !== undefined) {
    const numbers = Buffer.alloc(20);
    numbers.writeUInt32BE(serial, 0);
    records.push({ section: 'authority', owner: zone, type: types.soa, rdata: ['', '', numbers] });
  }
  if (edns !== undefined)
    records.push({ section: 'additional', owner: '', type: 41, class: 1232, ttl: edns << 16, rdata: [] });
  const message = Buffer.from(
    encodeMessage({
      id: lastId,
      flags: question.flags ?? 0,
      question: { name: zone, type, class: question.class ?? 1 },
      records,
    }),
  );
  if (!key) return { bytes: message, mac: undefined };
  const timeSigned = question.timeSigned ?? nowSeconds;
  const whole = macOf(key, [message, variables(key, { timeSigned, error: 0, other: Buffer.alloc(0) })]);
  const mac = whole.subarray(0, question.macBytes ?? whole.length);
  const rdata = Buffer.concat([
    wireName(key.algorithm),
    timers(timeSigned, 300),
    u16(mac.length),
    mac,
    message.subarray(0, 2),
    u16(0),
    u16(0),
  ]);
  const record = Buffer.concat([
    wireName(key.name),
    u16(250),
    u16(255),
    u16(0),
    u16(0),
    u16(rdata.length),
    rdata,
  ]);
  const bytes = Buffer.concat([message, record]);
  bytes.writeUInt16BE(bytes.readUInt16BE(10) + 1, 10);
  return { bytes, mac };
}

/** Asks over TCP and reads until the transfer is complete, or an error came. */
export async function askOverTcp(
  port: number,
  question: ZoneQuestion,
  nowSeconds: number,
): Promise<ZoneAnswer> {
  const request = encodeRequest(question, nowSeconds);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(Buffer.concat([u16(request.bytes.length), request.bytes]));
  let pending = Buffer.alloc(0);
  const raw: Buffer[] = [];
  try {
    for await (const chunk of socket) {
      pending = Buffer.concat([pending, chunk as Buffer]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0);
        raw.push(pending.subarray(2, end));
        pending = pending.subarray(end);
      }
      if (raw.length > 0 && isComplete(raw, question.type)) break;
    }
  } finally {
    socket.destroy();
  }
  return answerOf(raw, request, question);
}

export async function askOverUdp(
  port: number,
  question: ZoneQuestion,
  nowSeconds: number,
): Promise<ZoneAnswer> {
  const request = encodeRequest(question, nowSeconds);
  return answerOf([await sendDatagram(port, request.bytes)], request, question);
}

export async function sendDatagram(port: number, bytes: Uint8Array): Promise<Buffer> {
  const socket = createSocket('udp4');
  try {
    socket.send(bytes, port, '127.0.0.1');
    const [answer] = (await once(socket, 'message')) as [Buffer];
    return answer;
  } finally {
    socket.close();
  }
}

/** A transfer ends with the SOA that it began with; a lone SOA says that there is nothing to transfer. */
function isComplete(raw: readonly Buffer[], type: number): boolean {
  const records = raw.flatMap((bytes) =>
    messageOf(bytes).records.filter(({ section }) => section === 'answer'),
  );
  if (type !== types.axfr && type !== types.ixfr) return true;
  const [first, second] = records;
  if (!first) return true;
  const serials = records.flatMap((record) => (record.type === types.soa ? [serialOf(record)] : []));
  const isIncremental = second?.type === types.soa && serialOf(second) !== serialOf(first);
  const copies = serials.filter((serial) => serial === serialOf(first)).length;
  if (records.length === 1) return type === types.ixfr;
  return copies === (isIncremental ? 3 : 2);
}

function messageOf(bytes: Buffer): DnsMessage {
  const message = readMessage(bytes);
  assert.ok(message, `malformed: ${bytes.toString('hex')}`);
  return message;
}

function answerOf(raw: readonly Buffer[], request: SignedRequest, { key }: ZoneQuestion): ZoneAnswer {
  const messages = raw.map(messageOf);
  const [first] = messages;
  assert.ok(first, 'there is an answer');
  for (const bytes of raw) assert.equal(bytes.readUInt16BE(0), request.bytes.readUInt16BE(0));
  const tsigs = messages
    .map(({ records }) => records.at(-1))
    .map((last) => (last?.type === 250 ? last : undefined));
  const tsigError = tsigs[0] && readTsig(tsigs[0].rdata).error;
  if (key && ![16, 17].includes(tsigError ?? 0) && tsigs[0]) checkSignatures(raw, request, key);
  const records = messages.flatMap((message) =>
    message.records.filter(({ section }) => section === 'answer'),
  );
  return { messages, raw, records, rcode: first.rcode, tsigError };
}

/** Every message has a TSIG record, as its last one, over the MAC of the message before. */
function checkSignatures(raw: readonly Buffer[], request: SignedRequest, key: ClientKey): void {
  let previous = request.mac as Buffer;
  for (const [index, bytes] of raw.entries()) {
    const { records } = messageOf(bytes);
    const last = records.at(-1);
    assert.ok(last?.type === 250, `message ${index} ends with a TSIG record`);
    assert.equal(records.filter(({ type }) => type === 250).length, 1);
    const tsig = readTsig(last.rdata);
    const recordBytes = last.owner.length + 10 + last.rdata.length;
    const message = Buffer.from(bytes.subarray(0, bytes.length - recordBytes));
    message.writeUInt16BE(message.readUInt16BE(10) - 1, 10);
    const tail = index === 0 ? variables(key, tsig) : timers(tsig.timeSigned, tsig.fudge);
    const expected = macOf(key, [u16(previous.length), previous, message, tail]);
    assert.equal(tsig.mac.toString('hex'), expected.toString('hex'), `MAC of message ${index}`);
    previous = tsig.mac;
  }
}

function readTsig(rdata: Uint8Array) {
  const bytes = Buffer.from(rdata);
  let at = 0;
  while (bytes[at] !== 0) at += 1 + (bytes[at] as number);
  at += 1;
  const macBytes = bytes.readUInt16BE(at + 8);
  const rest = at + 10 + macBytes;
  return {
    timeSigned: bytes.readUIntBE(at, 6),
    fudge: bytes.readUInt16BE(at + 6),
    mac: bytes.subarray(at + 10, rest),
    error: bytes.readUInt16BE(rest + 2),
    other: bytes.subarray(rest + 6),
  };
}

function macOf({ algorithm, secret }: ClientKey, parts: readonly Uint8Array[]): Buffer {
  return createHmac(algorithm.replace('hmac-', ''), secret).update(Buffer.concat(parts)).digest();
}

function variables(
  key: ClientKey,
  tsig: { readonly timeSigned: number; readonly error: number; readonly other: Buffer },
): Buffer {
  const head = [wireName(key.name.toLowerCase()), u16(255), u16(0), u16(0), wireName(key.algorithm)];
  return Buffer.concat([
    ...head,
    timers(tsig.timeSigned, 300),
    u16(tsig.error),
    u16(tsig.other.length),
    tsig.other,
  ]);
}

function timers(timeSigned: number, fudge: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(timeSigned, 0, 6);
  bytes.writeUInt16BE(fudge, 6);
  return bytes;
}

export const u16 = (value: number): Buffer => Buffer.of(value >>> 8, value & 255);

export function serialOf({ rdata }: DnsRecord): number {
  return Buffer.from(rdata).readUInt32BE(rdata.length - 20);
}

/** A record as text: owner, type and rdata. */
export function textOf({ owner, type, rdata }: DnsRecord): string {
  return type === types.soa
    ? `${nameText(owner)} SOA ${serialOf({ rdata } as DnsRecord)}`
    : `${nameText(owner)} ${type} ${nameText(rdata)}`;
}

/** The zone of an AXFR, without the second copy of its SOA. */
export function zoneOf({ records }: ZoneAnswer): ReadonlySet<string> {
  assert.equal(textOf(records.at(-1) as DnsRecord), textOf(records[0] as DnsRecord));
  return new Set(records.slice(0, -1).map(textOf));
}

/** The zone after an IXFR: RFC 1995, and what is removed must be there, what is added must not. */
export function applyIxfr(zone: ReadonlySet<string>, { records }: ZoneAnswer): ReadonlySet<string> {
  const [first, second] = records;
  assert.ok(first);
  if (records.length === 1) return zone;
  if (second?.type !== types.soa) return zoneOf({ records } as ZoneAnswer);
  const after = new Set(zone);
  let isAdding = true;
  for (const record of records.slice(1, -1)) {
    const text = textOf(record);
    if (record.type === types.soa) isAdding = !isAdding;
    if (isAdding) {
      assert.ok(!after.has(text), `added, and was there: ${text}`);
      after.add(text);
    } else assert.ok(after.delete(text), `removed, and was not there: ${text}`);
  }
  assert.equal(textOf(records.at(-1) as DnsRecord), textOf(first));
  return after;
}

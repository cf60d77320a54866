/** Requests as far as a server of zones needs them. Everything else in a message is ignored. */
import { type DnsQuestion, optType, readHeader, readMessage } from '../model/dns/message.ts';
import { nameLength } from '../model/dns/name.ts';
import { type ReceivedTsig, readTsig } from '../model/dns/tsig.ts';

export const queryTypes = { soa: 6, ixfr: 251, axfr: 252 } as const;

export interface ZoneRequest {
  readonly id: number;
  readonly opcode: number;
  readonly question: DnsQuestion;
  /** As it was sent, to be repeated in the answer. */
  readonly questionBytes: Uint8Array;
  readonly tsig: ReceivedTsig | undefined;
  /** Of the version that the client has, in an IXFR request. */
  readonly clientSerial: number | undefined;
  /** EDNS; undefined if the client does not have it. */
  readonly ednsVersion: number | undefined;
  readonly bytes: Uint8Array;
}

const headerBytes = 12;
const internetClass = 1;
const soaNumbersBytes = 20;

/** `ignored`: no request, so there is no answer. `malformed`: it has an id, and the answer is FORMERR. */
export function readZoneRequest(bytes: Uint8Array): ZoneRequest | 'ignored' | { readonly malformed: number } {
  const header = readHeader(bytes);
  if (!header || header.isResponse) return 'ignored';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const id = view.getUint16(0);
  const tsig = readTsig(bytes);
  const message = tsig && readMessage(bytes);
  // A name in the question has nothing to point to.
  const length = nameLength(bytes, headerBytes);
  if (!tsig || !message?.question || length === undefined || view.getUint16(4) !== 1)
    return { malformed: id };
  const opt = message.records.find(({ type }) => type === optType);
  const soa = message.records.find(
    ({ section, type, class: of }) =>
      section === 'authority' && type === queryTypes.soa && of === internetClass,
  );
  return {
    id,
    opcode: header.opcode,
    question: message.question,
    questionBytes: bytes.slice(headerBytes, headerBytes + length + 4),
    tsig: tsig === 'none' ? undefined : tsig,
    clientSerial: soa && Buffer.from(soa.rdata).readUInt32BE(soa.rdata.length - soaNumbersBytes),
    ednsVersion: opt && (opt.ttl >>> 16) & 255,
    bytes,
  };
}

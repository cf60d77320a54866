/**
 * What a dnstap frame says about RRsets, or about an error. A server is believed only for the zone it was asked for:
 * records whose owner is not at or below that zone, the bailiwick, are left out.
 *
 * RESOLVER_RESPONSE comes from any server on the Internet, so without a zone it is ignored. The other kinds come from a
 * server that the operator chose (a forwarder, the resolver or the name server itself); where the writer names no zone,
 * that server was asked for every name, and the bailiwick is the root.
 *
 * An answer with an error has no data to be believed, so it is told whatever the zone is.
 */
import type { DnsError } from '../../model/dns/dns-error.ts';
import {
  type DnsMessage,
  type DnsRecord,
  optType,
  readHeader,
  readMessage,
} from '../../model/dns/message.ts';
import { isAtOrBelow, nameLength, rootName } from '../../model/dns/name.ts';
import { expandName } from '../../model/dns/packed-name.ts';
import { type Rrset, rrsetBytesMax, type WireName } from '../../model/dns/rrset.ts';
import { type DnstapKind, type DnstapMessage, readDnstap } from './dnstap-message.ts';
import { RecordGroups } from './record-groups.ts';

export type ResponseKind = Extract<
  DnstapKind,
  'RESOLVER_RESPONSE' | 'FORWARDER_RESPONSE' | 'CLIENT_RESPONSE' | 'AUTH_RESPONSE'
>;

/** Those above the resolver. Answers to clients, and of one's own name server, are for the operator to name. */
export const usualKinds: readonly ResponseKind[] = ['RESOLVER_RESPONSE', 'FORWARDER_RESPONSE'];

export type IgnoredReason =
  /** A kind that nobody asked for. */
  | 'kind'
  | 'no-zone'
  | 'no-response'
  /** A query, or an operation other than a query's answer. */
  | 'no-answer'
  /** The resolver asks again over TCP, and what it is told then is whole. */
  | 'truncated'
  /** An error, but nobody knows about what. */
  | 'no-question'
  /** No record of class IN in the bailiwick, or no RRset small enough to be stored. */
  | 'nothing-to-keep';

export type MalformedReason = 'frame' | 'message' | 'zone' | 'time';

export type FrameReading =
  | { readonly outcome: 'observed'; readonly rrsets: readonly Rrset[] }
  | { readonly outcome: 'error'; readonly error: DnsError }
  | { readonly outcome: 'ignored'; readonly reason: IgnoredReason }
  | { readonly outcome: 'malformed'; readonly reason: MalformedReason };

const classIn = 1;
const aheadSecondsMax = 86_400;

export function observationsOf(
  frame: Uint8Array,
  nowSeconds: number,
  kinds: readonly ResponseKind[] = usualKinds,
): FrameReading {
  const dnstap = readDnstap(frame);
  if (!dnstap) return malformed('frame');
  if (!kinds.some((kind) => kind === dnstap.kind)) return ignored('kind');
  const { responseMessage: bytes, responseTimeSeconds: seconds } = dnstap;
  if (!bytes) return ignored('no-response');
  if (seconds === 0 || seconds > nowSeconds + aheadSecondsMax) return malformed('time');

  // Much of what is not kept can be told from the header.
  const header = readHeader(bytes);
  if (!header) return malformed('message');
  if (!header.isResponse || header.opcode !== 0) return ignored('no-answer');
  if (header.isTruncated) return ignored('truncated');
  const message = readMessage(bytes);
  if (!message) return malformed('message');
  if (message.rcode !== 0) return errorIn(message, bytes, dnstap);

  const bailiwick = bailiwickOf(dnstap);
  if (bailiwick === 'no-zone') return ignored('no-zone');
  if (!bailiwick) return malformed('zone');
  const rrsets = rrsetsIn(message, bailiwick, seconds);
  return rrsets.length > 0 ? { outcome: 'observed', rrsets } : ignored('nothing-to-keep');
}

function ignored(reason: IgnoredReason): FrameReading {
  return { outcome: 'ignored', reason };
}

function malformed(reason: MalformedReason): FrameReading {
  return { outcome: 'malformed', reason };
}

function errorIn(message: DnsMessage, response: Uint8Array, dnstap: DnstapMessage): FrameReading {
  const { responseTimeSeconds, responseTimeNanoseconds, responseAddress: address, queryZone } = dnstap;
  const { question } = message;
  if (!question) return ignored('no-question');
  const responseAddress = address?.length === 4 || address?.length === 16 ? address : undefined;
  const error = {
    responseTimeSeconds,
    responseTimeNanoseconds,
    responseAddress,
    queryZone: queryZone && zoneIn(queryZone),
    question,
    message,
    response,
  };
  return { outcome: 'error', error };
}

function bailiwickOf({ kind, queryZone: zone }: DnstapMessage): WireName | 'no-zone' | undefined {
  if (!zone || zone.length === 0) return kind === 'RESOLVER_RESPONSE' ? 'no-zone' : rootName;
  return zoneIn(zone);
}

function zoneIn(zone: Uint8Array): WireName | undefined {
  if (nameLength(zone, 0) !== zone.length) return undefined;
  const bailiwick = new Uint8Array(zone.length);
  expandName(zone, 0, bailiwick, 0);
  return bailiwick;
}

/** The records of one owner and type are one RRset, whichever sections they stand in. */
function rrsetsIn({ records }: DnsMessage, bailiwick: WireName, seconds: number): Rrset[] {
  const groups = new RecordGroups();
  for (const record of records) {
    const { owner, type, rdata } = record;
    if (isData(record) && isAtOrBelow(owner, bailiwick)) groups.add(owner, type, rdata);
  }
  const rrsets: Rrset[] = [];
  for (const { owner, type, rdata: unordered } of groups.all()) {
    const rdata = inOrder(unordered);
    if (!isStorable(rdata)) continue;
    rrsets.push({
      origin: 'sensor',
      owner,
      type,
      bailiwick,
      rdata,
      firstSeconds: seconds,
      lastSeconds: seconds,
      count: 1,
    });
  }
  return rrsets;
}

/** OPT, and types 128 to 255, are about messages (RFC 6895). */
function isData({ type, class: recordClass }: DnsRecord): boolean {
  return recordClass === classIn && type !== 0 && type !== optType && (type < 128 || type > 255);
}

function inOrder(rdata: Uint8Array[]): Uint8Array[] {
  if (rdata.length === 1) return rdata;
  rdata.sort((one, other) => Buffer.compare(one, other));
  return rdata.filter((each, index) => {
    const before = rdata[index - 1];
    return before === undefined || Buffer.compare(before, each) !== 0;
  });
}

/** Compression makes it possible to say more in a message than may be stored in one RRset. */
function isStorable(rdata: readonly Uint8Array[]): boolean {
  let total = 0;
  for (const each of rdata) total += each.length;
  return total <= rrsetBytesMax;
}

/**
 * RRset observations, or a DNS error, from a dnstap frame. Bailiwick rule: a server is trusted only for the zone it was queried
 * for, so records with an owner outside that zone are dropped.
 *
 * RESOLVER_RESPONSE comes from any server on the Internet and is ignored without a zone. The other types come from a server that
 * the operator chose (a forwarder, the resolver, the name server itself); where they name no zone, the bailiwick is the root.
 *
 * An error response carries no data to trust, so its zone does not matter.
 */

import { expandName } from '../../model/dns/compressed-name.ts';
import type { DnsError } from '../../model/dns/dns-error.ts';
import {
  type DnsMessage,
  type DnsRecord,
  optType,
  readHeader,
  readMessage,
} from '../../model/dns/message.ts';
import { isAtOrBelow, nameLength, rootName } from '../../model/dns/name.ts';
import { type Rrset, rrsetBytesMax, type WireName } from '../../model/dns/rrset.ts';
import { daySeconds } from '../../model/durations.ts';
import { type DnstapKind, type DnstapMessage, readDnstap } from './dnstap-message.ts';
import { RecordGroups } from './record-groups.ts';

export type ResponseKind = Extract<
  DnstapKind,
  'RESOLVER_RESPONSE' | 'FORWARDER_RESPONSE' | 'CLIENT_RESPONSE' | 'AUTH_RESPONSE'
>;

/** Responses received by the resolver. Client and authoritative responses must be enabled by the operator. */
export const defaultKinds: readonly ResponseKind[] = ['RESOLVER_RESPONSE', 'FORWARDER_RESPONSE'];

export type IgnoredReason =
  /** A type that is not enabled. */
  | 'kind'
  | 'no-zone'
  | 'no-response'
  /** A query, or an opcode other than QUERY. */
  | 'no-answer'
  /** The resolver retries over TCP, and that response is complete. */
  | 'truncated'
  /** An error response without a question section. */
  | 'no-question'
  /** No record of class IN within the bailiwick, or no RRset small enough to be stored. */
  | 'nothing-to-keep';

export type MalformedReason = 'frame' | 'message' | 'zone' | 'time';

export type FrameResult =
  /** `client`: who was answered, if it was asked for and the resolver says it. */
  | { readonly outcome: 'observed'; readonly rrsets: readonly Rrset[]; readonly client?: Uint8Array }
  | { readonly outcome: 'error'; readonly error: DnsError }
  | { readonly outcome: 'ignored'; readonly reason: IgnoredReason }
  | { readonly outcome: 'malformed'; readonly reason: MalformedReason };

const classIn = 1;
const aheadSecondsMax = daySeconds;

export function observationsOf(
  frame: Uint8Array,
  nowSeconds: number,
  kinds: readonly ResponseKind[] = defaultKinds,
  withClient = false,
): FrameResult {
  const dnstap = readDnstap(frame, withClient);
  if (!dnstap) return malformed('frame');
  if (!kinds.some((kind) => kind === dnstap.kind)) return ignored('kind');
  const { responseMessage: bytes, responseTimeSeconds: seconds } = dnstap;
  if (!bytes) return ignored('no-response');
  if (seconds === 0 || seconds > nowSeconds + aheadSecondsMax) return malformed('time');

  // Most ignored messages are recognised by the header alone.
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
  if (rrsets.length === 0) return ignored('nothing-to-keep');
  // Of other messages, the address is that of the resolver itself.
  const client = dnstap.kind === 'CLIENT_RESPONSE' ? dnstap.queryAddress : undefined;
  return { outcome: 'observed', rrsets, ...(client ? { client } : {}) };
}

function ignored(reason: IgnoredReason): FrameResult {
  return { outcome: 'ignored', reason };
}

function malformed(reason: MalformedReason): FrameResult {
  return { outcome: 'malformed', reason };
}

function errorIn(message: DnsMessage, response: Uint8Array, dnstap: DnstapMessage): FrameResult {
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

/** Records of one owner and type are one RRset, in whichever section they are. */
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

/** OPT and types 128 to 255 are not data (RFC 6895). */
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

/** Name compression allows a message to hold more than a stored RRset may. */
function isStorable(rdata: readonly Uint8Array[]): boolean {
  let total = 0;
  for (const each of rdata) total += each.length;
  return total <= rrsetBytesMax;
}

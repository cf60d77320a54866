/** DNS error responses as lines of NMSG JSON: the full form `base:dnsobs` and the short form `SIE:dnsnx`. */
import { concealClient } from '../dns/conceal-client.ts';
import type { DnsError } from '../dns/dns-error.ts';
import { ipv4Text, ipv6Bytes, ipv6Text } from '../dns/ip-address.ts';
import type { DnsMessage } from '../dns/message.ts';
import { messageJson, questionTypeText } from '../dns/message-json.ts';
import { nameText } from '../dns/name.ts';
import { rcodeText } from '../dns/rcode.ts';
import { classText } from '../dns/rr-class.ts';
import { typeOf } from '../dns/rr-type.ts';
import { secondText } from './nmsg-json.ts';

const soaType = typeOf('SOA');

/** Name compression makes a small message large in JSON: beyond this only the wire form is included. */
const shownBytesMax = 16_384;
const recordBytes = 64;

export function dnsobsLine(error: DnsError): string {
  const { message, response, queryZone } = error;
  return nmsgLine(error, 'base', 'dnsobs', {
    time: error.responseTimeSeconds,
    response_ip: addressText(error.responseAddress),
    qname: nameText(error.question.name),
    qtype: questionTypeText(error.question.type),
    qclass: classText(error.question.class),
    rcode: rcodeText(message.rcode),
    response: Buffer.from(concealClient(response)).toString('base64'),
    response_json: fitsAsJson(message) ? messageJson(message, response) : undefined,
    query_zone: queryZone && nameText(queryZone),
  });
}

/** The message type was made for NXDOMAIN alone and has no `rcode`; consumers ignore members they do not know. */
export function dnsnxLine(error: DnsError): string {
  const { message, question } = error;
  const soa = message.records.find(({ section, type }) => section === 'authority' && type === soaType);
  return nmsgLine(error, 'SIE', 'dnsnx', {
    qname: nameText(question.name),
    qclass: classText(question.class),
    qtype: questionTypeText(question.type),
    response_ip: addressText(error.responseAddress),
    soa_rrname: soa && nameText(soa.owner),
    response_time_sec: error.responseTimeSeconds,
    response_time_nsec: error.responseTimeNanoseconds,
    rcode: rcodeText(message.rcode),
  });
}

function nmsgLine(error: DnsError, vname: string, mname: string, message: object): string {
  const nanoseconds = String(error.responseTimeNanoseconds).padStart(9, '0');
  const time = `${secondText(error.responseTimeSeconds)}.${nanoseconds}`;
  return `${JSON.stringify({ time, vname, mname, message })}\n`;
}

function fitsAsJson({ records }: DnsMessage): boolean {
  let bytes = 0;
  for (const { owner, rdata } of records) bytes += recordBytes + owner.length + rdata.length;
  return bytes <= shownBytesMax;
}

function addressText(address: Uint8Array | undefined): string | undefined {
  return address && (address.length === ipv6Bytes ? ipv6Text(address, 0) : ipv4Text(address, 0));
}

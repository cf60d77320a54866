/** DNS error responses, parsed from dnstap frames like those of sensors. */
import assert from 'node:assert/strict';
import { observationsOf } from '../../../src/collect/dnstap/observations-of.ts';
import type { DnsError } from '../../../src/model/dns/dns-error.ts';
import { encodeMessage, type WrittenMessage, type WrittenRecord, wireName } from './encode-dns-message.ts';
import { encodeDnstap, noon } from './encode-dnstap.ts';

export const nxdomain = 3;

export interface WrittenError extends Omit<WrittenMessage, 'flags' | 'question'> {
  readonly name: string;
  readonly type?: number;
  readonly class?: number;
  /** Four bits. */
  readonly rcode?: number;
}

export function errorFrame(written: WrittenError): Buffer {
  const { name, type = 1, class: questionClass = 1, rcode = nxdomain, ...rest } = written;
  const question = { name, type, class: questionClass };
  const message = encodeMessage({ ...rest, flags: 0x8400 + rcode, question });
  return encodeDnstap({ zone: wireName('example.com'), message });
}

export function dnsError(written: WrittenError): DnsError {
  const read = observationsOf(errorFrame(written), noon);
  assert.ok(read.outcome === 'error');
  return read.error;
}

export const soaRecord: WrittenRecord = {
  section: 'authority',
  owner: 'example.com',
  type: 6,
  ttl: 60,
  rdata: ['ns1.example.com', 'hostmaster.example.com', numbers(7, 3600, 600, 86_400, 60)],
};

function numbers(...values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

/** OPT with options as pairs of code and data. */
export function optRecord(
  options: readonly (readonly [code: number, data: Uint8Array])[],
  ttl = 0x8000,
): WrittenRecord {
  const rdata = options.map(([code, data]) => {
    const head = Buffer.alloc(4);
    head.writeUInt16BE(code, 0);
    head.writeUInt16BE(data.length, 2);
    return Buffer.concat([head, data]);
  });
  return { section: 'additional', owner: '', type: 41, class: 1232, ttl, rdata };
}

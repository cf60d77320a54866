/**
 * Rdata as Suricata logs it: names and text as plain strings; SOA, SRV and SSHFP as objects. Undefined where a part is missing from
 * the log (as the preference of an MX).
 */
import { parseRdata } from '../../model/dns/rdata-text.ts';
import { typeOf } from '../../model/dns/rr-type.ts';
import { hasInvalidUtf8 } from '../input/invalid-utf8.ts';
import { isObject } from './json-object.ts';
import { loggedName } from './logged-name.ts';

const addressTypes: ReadonlySet<number> = new Set([typeOf('A'), typeOf('AAAA')]);
const nameTypes: ReadonlySet<number> = new Set([
  typeOf('NS'),
  typeOf('CNAME'),
  typeOf('PTR'),
  typeOf('DNAME'),
]);

function bigEndian(values: readonly unknown[], widthBytes: 1 | 2 | 4): Buffer | undefined {
  const bytes = Buffer.alloc(values.length * widthBytes);
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
    if (value < 0 || value >= 2 ** (8 * widthBytes)) return undefined;
    bytes.writeUIntBE(value, index * widthBytes, widthBytes);
  }
  return bytes;
}

function join(...parts: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  const present = parts.filter((part) => part !== undefined);
  return present.length === parts.length ? new Uint8Array(Buffer.concat(present)) : undefined;
}

function soaRdata(soa: {
  readonly mname?: unknown;
  readonly rname?: unknown;
  readonly serial?: unknown;
  readonly refresh?: unknown;
  readonly retry?: unknown;
  readonly expire?: unknown;
  readonly minimum?: unknown;
}): Uint8Array | undefined {
  const { serial, refresh, retry, expire, minimum } = soa;
  const timers = bigEndian([serial, refresh, retry, expire, minimum], 4);
  return join(loggedName(soa.mname), loggedName(soa.rname), timers);
}

function srvRdata(srv: {
  readonly priority?: unknown;
  readonly weight?: unknown;
  readonly port?: unknown;
  readonly name?: unknown;
}): Uint8Array | undefined {
  return join(bigEndian([srv.priority, srv.weight, srv.port], 2), loggedName(srv.name));
}

function sshfpRdata(sshfp: {
  readonly algo?: unknown;
  readonly type?: unknown;
  readonly fingerprint?: unknown;
}): Uint8Array | undefined {
  const { fingerprint } = sshfp;
  if (typeof fingerprint !== 'string' || !/^[0-9a-f]{2}(?::?[0-9a-f]{2})*$/i.test(fingerprint))
    return undefined;
  return join(bigEndian([sshfp.algo, sshfp.type], 1), Buffer.from(fingerprint.replaceAll(':', ''), 'hex'));
}

function textRdata(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > 255 || text.includes('\\') || hasInvalidUtf8(text)) return undefined;
  return join(Buffer.from([bytes.length]), bytes);
}

function objectRdata(type: number, value: object): Uint8Array | undefined {
  if (type === typeOf('SOA')) return soaRdata(value);
  if (type === typeOf('SRV')) return srvRdata(value);
  return type === typeOf('SSHFP') ? sshfpRdata(value) : undefined;
}

export function eveRdata(type: number, value: unknown): Uint8Array | undefined {
  if (isObject(value)) return objectRdata(type, value);
  if (typeof value !== 'string') return undefined;
  if (addressTypes.has(type)) return parseRdata(type, value);
  if (nameTypes.has(type)) return loggedName(value);
  return type === typeOf('TXT') ? textRdata(value) : undefined;
}

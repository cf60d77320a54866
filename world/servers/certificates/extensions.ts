/** The extensions that the world's certificates carry. */
import { hash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { bits, element, integer, nothing, objectId, octets, sequence, truth } from './der.ts';
import { extension } from './make-certificate.ts';

export type AlternativeName = readonly [kind: 'dns' | 'ip' | 'email', text: string];

/** What makes a precertificate useless as a certificate (RFC 6962, 3.1). */
export const poison = extension('1.3.6.1.4.1.11129.2.4.3', nothing, 'critical');

export const basicConstraints = (authority?: { readonly pathLength: number }) =>
  extension(
    '2.5.29.19',
    authority ? sequence(truth, integer(Buffer.from([authority.pathLength]))) : sequence(),
    'critical',
  );

const digitalSignature = bits(Buffer.from([0x80]), 7);
const certificateAndListSigning = bits(Buffer.from([0x06]), 1);

export const keyUsage = (of: 'authority' | 'server') =>
  extension('2.5.29.15', of === 'server' ? digitalSignature : certificateAndListSigning, 'critical');

export const serverAuthentication = extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1')));

/** Domain validation: only control of the domain was checked. */
export const domainValidated = extension('2.5.29.32', sequence(sequence(objectId('2.23.140.1.2.1'))));

export const subjectKey = (publicKey: Buffer) => extension('2.5.29.14', octets(keyDigest(publicKey)));

export const authorityKey = (publicKey: Buffer) =>
  extension('2.5.29.35', sequence(element(0x80, keyDigest(publicKey))));

export const alternativeNames = (names: readonly AlternativeName[], critical?: 'critical') =>
  extension('2.5.29.17', sequence(...names.map(generalName)), critical);

/** What the logs promised, each as a SignedCertificateTimestamp (RFC 6962, 3.3). */
export function timestamps(list: readonly Buffer[]): Buffer {
  const items = Buffer.concat(list.flatMap((item) => [shortLength(item.length), item]));
  return extension('1.3.6.1.4.1.11129.2.4.2', octets(Buffer.concat([shortLength(items.length), items])));
}

function generalName([kind, text]: AlternativeName): Buffer {
  if (kind === 'ip') return element(0x87, addressBytes(text));
  return element(kind === 'dns' ? 0x82 : 0x81, Buffer.from(text, 'utf8'));
}

/** IPv6 only as eight groups: the world writes its own. */
function addressBytes(text: string): Buffer {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number));
  if (!isIPv6(text) || text.includes('::')) throw new Error(`${text} is no address in full`);
  const bytes = Buffer.alloc(16);
  text.split(':').forEach((group, at) => bytes.writeUInt16BE(Number.parseInt(group, 16), at * 2));
  return bytes;
}

function shortLength(length: number): Buffer {
  return Buffer.from([length >> 8, length & 0xff]);
}

/** Any digest that distinguishes keys will do (RFC 5280, 4.2.1.2). */
function keyDigest(publicKey: Buffer): Buffer {
  return hash('sha256', publicKey, 'buffer').subarray(0, 20);
}

/** Certificates made by a library that is not ours, and what a log would hold of them. */
import type { Extension } from '@peculiar/x509';
import { DerWalk } from '../../src/collect/sources/certificate-logs/der.ts';
import { x509 } from './x509.ts';

export interface CertificateWish {
  readonly names: readonly string[];
  readonly commonName?: string;
  readonly serial?: string;
  readonly more?: readonly Extension[];
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
let keys: ReturnType<typeof makeKeys> | undefined;
const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
let serials = 0;

export async function certificateOf(wish: CertificateWish): Promise<Buffer> {
  keys ??= makeKeys();
  const { names, commonName, serial = (++serials).toString(16).padStart(18, '1'), more = [] } = wish;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial,
    name: commonName === undefined ? 'O=Nobody' : [{ O: ['Nobody'] }, { CN: [commonName] }],
    notBefore: new Date('2027-01-01T00:00:00Z'),
    notAfter: new Date('2027-04-01T00:00:00Z'),
    signingAlgorithm: algorithm,
    keys: await keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      ...(names.length === 0
        ? []
        : [
            new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
          ]),
      ...more,
    ],
  });
  return Buffer.from(certificate.rawData);
}

/** The part that is signed. */
export function bodyOf(certificate: Uint8Array): Buffer {
  const outer = new DerWalk(certificate, 0, certificate.length);
  outer.next();
  const inner = outer.inside();
  inner.next();
  return Buffer.from(certificate.subarray(inner.begin, inner.to));
}

/** A certificate as a log has it twice: announced, and issued with the proof of the announcement in it. */
export async function issued(
  names: readonly string[],
): Promise<{ precertificate: Buffer; certificate: Buffer }> {
  const serial = (++serials).toString(16).padStart(18, '2');
  const proof = new x509.Extension('1.3.6.1.4.1.11129.2.4.2', false, Buffer.from('0403000000', 'hex'));
  return {
    precertificate: bodyOf(await certificateOf({ names, serial })),
    certificate: await certificateOf({ names, serial, more: [proof] }),
  };
}

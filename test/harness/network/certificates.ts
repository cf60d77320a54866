/** Certificates created by an independent library, and their log entries. */
import type { Extension } from '@peculiar/x509';
import { DerReader } from '../../../src/collect/sources/certificate-logs/der-reader.ts';
import { x509 } from './x509.ts';

export interface CertificateOptions {
  readonly names: readonly string[];
  readonly commonName?: string;
  readonly serial?: string;
  readonly more?: readonly Extension[];
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
let keys: ReturnType<typeof makeKeys> | undefined;
const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
let serials = 0;

export async function certificateOf(options: CertificateOptions): Promise<Buffer> {
  keys ??= makeKeys();
  const { names, commonName, serial = (++serials).toString(16).padStart(18, '1'), more = [] } = options;
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

/** The TBSCertificate. */
export function tbsCertificateOf(certificate: Uint8Array): Buffer {
  const outer = new DerReader(certificate, 0, certificate.length);
  outer.next();
  const inner = outer.inside();
  inner.next();
  return Buffer.from(certificate.subarray(inner.begin, inner.to));
}

/** A certificate as a log has it twice: as precertificate, and as final certificate with the SCT embedded. */
export async function issueCertificate(
  names: readonly string[],
): Promise<{ precertificate: Buffer; certificate: Buffer }> {
  const serial = (++serials).toString(16).padStart(18, '2');
  const proof = new x509.Extension('1.3.6.1.4.1.11129.2.4.2', false, Buffer.from('0403000000', 'hex'));
  return {
    precertificate: tbsCertificateOf(await certificateOf({ names, serial })),
    certificate: await certificateOf({ names, serial, more: [proof] }),
  };
}

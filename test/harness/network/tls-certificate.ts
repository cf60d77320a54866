/** A self-signed certificate for TLS servers in tests. */
import { x509 } from './x509.ts';

export interface TlsCertificate {
  readonly key: string;
  readonly cert: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const hourMs = 3_600_000;

/** Valid from an hour ago, for a day unless another time is given. */
export async function tlsCertificate(
  host: string,
  endsMs = Date.now() + 24 * hourMs,
): Promise<TlsCertificate> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    notBefore: new Date(Date.now() - hourMs),
    notAfter: new Date(endsMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      // It is its own authority, so that a client can trust it.
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
    ],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), cert: certificate.toString('pem') };
}

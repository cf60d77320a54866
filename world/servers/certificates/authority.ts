/**
 * The world's certificate authority: a root that clients are configured to trust, and the intermediate that issues. Both are made anew at every
 * start, and are trusted nowhere else.
 */
import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import {
  type AlternativeName,
  alternativeNames,
  authorityKey,
  basicConstraints,
  domainValidated,
  keyUsage,
  serverAuthentication,
  subjectKey,
} from './extensions.ts';
import { type CertificateText, makeCertificate, type NamePart } from './make-certificate.ts';

export interface KeyPair {
  readonly privateKey: KeyObject;
  /** The private key as TLS takes it, exported once and not for each site. */
  readonly privatePem: string;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
}

/** The requested contents of a certificate. */
export interface Application {
  /** The serial number follows from this. */
  readonly about: string;
  readonly subject: readonly NamePart[];
  readonly names: readonly AlternativeName[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly key: KeyPair;
}

export interface Authority {
  readonly root: Buffer;
  readonly intermediate: Buffer;
  /** SHA-256 of the key that issues, as logs name it. */
  readonly issuerKeyHash: Buffer;
  readonly issuerName: string;
  write(application: Application): CertificateText;
  sign(text: CertificateText): Buffer;
}

const fromMs = Date.UTC(2020, 0, 1);
const untilMs = Date.UTC(2049, 0, 1);
const issuerName = 'Glasshouse Issuing CA 1';
const rootSubject: readonly NamePart[] = [
  ['country', 'ZZ'],
  ['organization', 'Glasshouse Trust'],
  ['commonName', 'Glasshouse Root CA'],
];
const intermediateSubject: readonly NamePart[] = [
  ['country', 'ZZ'],
  ['organization', 'Glasshouse Trust'],
  ['commonName', issuerName],
];

export function makeAuthority(): Authority {
  const [rootKey, key] = [makeKeyPair(), makeKeyPair()];
  const lasting = { issuer: rootSubject, notBeforeMs: fromMs, notAfterMs: untilMs };
  const root = makeCertificate(
    {
      ...lasting,
      serial: serialOf('root'),
      subject: rootSubject,
      publicKey: rootKey.publicKey,
      extensions: [basicConstraints({ pathLength: 1 }), keyUsage('authority'), subjectKey(rootKey.publicKey)],
    },
    rootKey.privateKey,
  );
  const intermediate = makeCertificate(
    {
      ...lasting,
      serial: serialOf('intermediate'),
      subject: intermediateSubject,
      publicKey: key.publicKey,
      extensions: [
        basicConstraints({ pathLength: 0 }),
        keyUsage('authority'),
        serverAuthentication,
        subjectKey(key.publicKey),
        authorityKey(rootKey.publicKey),
      ],
    },
    rootKey.privateKey,
  );
  return {
    root,
    intermediate,
    issuerKeyHash: hash('sha256', key.publicKey, 'buffer'),
    issuerName,
    write: ({ about, subject, names, notBeforeMs, notAfterMs, key: { publicKey } }) => ({
      serial: serialOf(about),
      issuer: intermediateSubject,
      subject,
      notBeforeMs,
      notAfterMs,
      publicKey,
      extensions: [
        basicConstraints(),
        keyUsage('server'),
        serverAuthentication,
        domainValidated,
        subjectKey(publicKey),
        authorityKey(key.publicKey),
        // A certificate without a subject is known by these alone (RFC 5280, 4.2.1.6).
        alternativeNames(names, subject.length === 0 ? 'critical' : undefined),
      ],
    }),
    sign: (text) => makeCertificate(text, key.privateKey),
  };
}

export function makeKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey,
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
  };
}

/** Sixteen bytes, positive, with no zeros in front. */
function serialOf(about: string): Buffer {
  const serial = Buffer.from(hash('sha256', about, 'buffer').subarray(0, 16));
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

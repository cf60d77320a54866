/** From what a certificate says to its bytes (RFC 5280), signed with ECDSA on P-256. */
import { type KeyObject, sign } from 'node:crypto';
import {
  bits,
  ia5,
  instant,
  integer,
  objectId,
  octets,
  printable,
  sequence,
  set,
  tagged,
  truth,
  utf8,
} from './der.ts';

export type NamePart = readonly [attribute: keyof typeof attributes, text: string];

export interface CertificateText {
  readonly serial: Buffer;
  readonly issuer: readonly NamePart[];
  readonly subject: readonly NamePart[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly extensions: readonly Buffer[];
}

const attributes = {
  commonName: '2.5.4.3',
  country: '2.5.4.6',
  organization: '2.5.4.10',
  emailAddress: '1.2.840.113549.1.9.1',
} as const;

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));

/** The part that is signed. */
export function signedPart(text: CertificateText): Buffer {
  return sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(text.serial),
    ecdsaWithSha256,
    distinguishedName(text.issuer),
    sequence(instant(text.notBeforeMs), instant(text.notAfterMs)),
    distinguishedName(text.subject),
    text.publicKey,
    tagged(3, sequence(...text.extensions)),
  );
}

export function makeCertificate(text: CertificateText, issuerKey: KeyObject): Buffer {
  const part = signedPart(text);
  return sequence(part, ecdsaWithSha256, bits(sign('sha256', part, issuerKey)));
}

export function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  return sequence(objectId(id), ...(critical ? [truth] : []), octets(value));
}

export function inPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(parts: readonly NamePart[]): Buffer {
  return sequence(
    ...parts.map(([attribute, text]) =>
      set(sequence(objectId(attributes[attribute]), textOf(attribute, text))),
    ),
  );
}

function textOf(attribute: NamePart[0], text: string): Buffer {
  if (attribute === 'country') return printable(text);
  return attribute === 'emailAddress' ? ia5(text) : utf8(text);
}

/**
 * The names of a certificate: its DNS subject alternative names, and the common name where it looks like a host name. Nothing else
 * is decoded, to keep the cost per certificate low.
 */
import { DerReader } from './der-reader.ts';

export interface CertificateNames {
  /** As written in the certificate, without duplicates. */
  readonly names: readonly string[];
  /** Serial number, issuer and validity: equal for a certificate and its precertificate, and for no other. */
  readonly identity: Uint8Array;
}

const namesMax = 5000;
const nameBytesMax = 255;
const tags = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  boolean: 0x01,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
} as const;
const utf8 = 0x0c;
/** PrintableString, TeletexString, IA5String: the same bytes for host names. */
const plainText = new Set([0x13, 0x14, 0x16]);
const subjectAltName = Buffer.from([0x55, 0x1d, 0x11]);
const commonName = Buffer.from([0x55, 0x04, 0x03]);
const looksLikeName = /^[^\s@/:]+\.[^\s@/:]+$/;

/** Undefined for bytes that are not a certificate. */
export function namesOfCertificate(bytes: Buffer, from: number, to: number): CertificateNames | undefined {
  const outer = new DerReader(bytes, from, to);
  if (!outer.expect(tags.sequence)) return undefined;
  const inner = outer.inside();
  return inner.expect(tags.sequence) ? namesOfTbsCertificate(bytes, inner.begin, inner.to) : undefined;
}

/** The same for the TBSCertificate, which is all that a precertificate entry has. */
export function namesOfTbsCertificate(bytes: Buffer, from: number, to: number): CertificateNames | undefined {
  const outer = new DerReader(bytes, from, to);
  if (!outer.expect(tags.sequence)) return undefined;
  const body = outer.inside();
  const first = body.next() ? body.tag : undefined;
  if (first === tags.version ? !body.expect(tags.integer) : first !== tags.integer) return undefined;
  const identityFrom = body.begin;
  // Signature algorithm, issuer, validity; then the subject.
  for (let left = 3; left > 0; left -= 1) if (!body.expect(tags.sequence)) return undefined;
  const identity = bytes.subarray(identityFrom, body.to);
  if (!body.expect(tags.sequence)) return undefined;
  const names = new Set<string>();
  const subject = body.inside();
  // Public key, unique ids, extensions.
  while (body.next()) {
    if (body.tag === tags.extensions && !addAlternativeNames(bytes, body.inside(), names)) return undefined;
  }
  if (!body.isAtEnd) return undefined;
  addCommonNames(bytes, subject, names);
  return { names: [...names], identity };
}

/** False where the extensions are malformed. */
function addAlternativeNames(bytes: Buffer, explicit: DerReader, names: Set<string>): boolean {
  if (!explicit.expect(tags.sequence)) return false;
  const extensions = explicit.inside();
  while (extensions.next()) {
    const extension = extensions.inside();
    if (!extension.expect(tags.oid)) return false;
    if (!isSame(bytes, extension, subjectAltName)) continue;
    if (!extension.next() || (extension.tag === tags.boolean && !extension.next())) return false;
    const value = extension.inside();
    if (extension.tag !== tags.octets || !value.expect(tags.sequence)) return false;
    const all = value.inside();
    while (names.size < namesMax && all.next()) {
      if (all.tag === tags.dnsName && all.to - all.from <= nameBytesMax)
        names.add(textOf(bytes, all, 'latin1'));
    }
  }
  return extensions.isAtEnd;
}

function addCommonNames(bytes: Buffer, subject: DerReader, names: Set<string>): void {
  while (names.size < namesMax && subject.next()) {
    if (subject.tag !== tags.set) return;
    const attributes = subject.inside();
    while (attributes.next()) {
      const attribute = attributes.inside();
      if (!attribute.expect(tags.oid) || !isSame(bytes, attribute, commonName) || !attribute.next()) continue;
      if (attribute.to - attribute.from > nameBytesMax) continue;
      if (attribute.tag !== utf8 && !plainText.has(attribute.tag)) continue;
      const text = textOf(bytes, attribute, attribute.tag === utf8 ? 'utf8' : 'latin1');
      if (looksLikeName.test(text)) names.add(text);
    }
  }
}

function isSame(bytes: Buffer, { from, to }: DerReader, wanted: Buffer): boolean {
  if (to - from !== wanted.length) return false;
  for (let at = 0; at < wanted.length; at += 1) if (bytes[from + at] !== wanted[at]) return false;
  return true;
}

function textOf(bytes: Buffer, { from, to }: DerReader, encoding: 'latin1' | 'utf8'): string {
  return bytes.toString(encoding, from, to);
}

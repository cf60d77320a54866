/** Reads the metadata that an identity provider publishes about itself: who it is, where requests go, what its signatures are verified with. */
import { X509Certificate } from 'node:crypto';
import { Parser } from 'htmlparser2';
import type { SamlConnection } from '../../../model/person/identity-provider.ts';

export const metadataLengthMax: number = 1 << 20;
const certificatesMax = 10;
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** The message says what is wrong with the metadata, as a predicate: "has no …". */
export class InvalidMetadata extends Error {
  override readonly name = 'InvalidMetadata';
}

/** Throws InvalidMetadata with a sentence that says what is missing. */
export function readSamlMetadata(xml: string): SamlConnection {
  if (xml.length > metadataLengthMax) throw new InvalidMetadata('is too long');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml))
    throw new InvalidMetadata('has a document type, which metadata has not');
  const scan = new MetadataScan();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => scan.open(name, attributes),
      ontext: (text) => scan.text(text),
      onclosetag: () => scan.close(),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  const { entityIds, entryPoints, certificates } = scan;
  const [entityId, ...others] = entityIds;
  if (entityId === undefined) throw new InvalidMetadata('has no EntityDescriptor with an entityID');
  if (others.length > 0) throw new InvalidMetadata('describes several providers; use the metadata of one');
  const [entryPoint] = entryPoints;
  if (entryPoint === undefined)
    throw new InvalidMetadata('has no SingleSignOnService with the HTTP-Redirect binding');
  if (certificates.size === 0) throw new InvalidMetadata('has no certificate for signatures');
  return {
    kind: 'saml',
    entityId,
    entryPoint,
    certificates: [...certificates].map(pemOf).slice(0, certificatesMax),
  };
}

/** A certificate as PEM, from PEM or from its bare base64. */
export function pemOf(text: string): string {
  const bare = text.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  try {
    return new X509Certificate(Buffer.from(bare, 'base64')).toString();
  } catch {
    throw new InvalidMetadata('has a certificate that cannot be read');
  }
}

class MetadataScan {
  readonly entityIds: string[] = [];
  readonly entryPoints: string[] = [];
  readonly certificates = new Set<string>();
  readonly #path: string[] = [];
  #isForSigning = true;
  #text = '';

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const local = name.slice(name.indexOf(':') + 1);
    this.#path.push(local);
    this.#text = '';
    const { entityID, Binding, Location, use } = attributes;
    if (local === 'EntityDescriptor' && entityID !== undefined) this.entityIds.push(entityID);
    if (local === 'KeyDescriptor') this.#isForSigning = use !== 'encryption';
    const isSignOn = local === 'SingleSignOnService' && this.#path.includes('IDPSSODescriptor');
    if (isSignOn && Binding === redirectBinding && Location !== undefined) this.entryPoints.push(Location);
  }

  text(text: string): void {
    this.#text += text;
  }

  close(): void {
    const isCertificate = this.#path.at(-1) === 'X509Certificate' && this.#isForSigning;
    if (isCertificate && ['IDPSSODescriptor', 'KeyDescriptor'].every((part) => this.#path.includes(part)))
      this.certificates.add(this.#text.replaceAll(/\s/g, ''));
    this.#path.pop();
  }
}

/**
 * What the text of a SAML response must look like before any library parses it as XML and verifies its signatures. Attacks on such
 * libraries use what no identity provider sends: document types and entities, comments inside of names, a second assertion beside the signed
 * one (signature wrapping), outdated algorithms, or sizes that take long. One linear pass refuses them all.
 */
import { Parser } from 'htmlparser2';
import { SignOnFault } from './sign-on-fault.ts';

export interface SamlText {
  readonly xml: string;
  /** Of the root element. */
  readonly destination: string | undefined;
  readonly inResponseTo: string | undefined;
}

export const samlBytesMax: number = 256 << 10;

const elementsMax = 2000;
const depthMax = 32;
const attributesMax = 4000;
const namespacesMax = 200;

/** Elements by local name, and the only paths at which they may stand. */
const paths: Readonly<Record<string, readonly string[]>> = {
  Response: ['/Response'],
  Assertion: ['/Response/Assertion'],
  Signature: ['/Response/Signature', '/Response/Assertion/Signature'],
  NameID: ['/Response/Assertion/Subject/NameID'],
  EncryptedAssertion: [],
  Object: [],
};

const algorithms: Readonly<Record<string, RegExp>> = {
  SignatureMethod: /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#(?:rsa|ecdsa)-sha(?:256|384|512)$/,
  DigestMethod: /^http:\/\/www\.w3\.org\/2001\/04\/(?:xmlenc#sha(?:256|512)|xmldsig-more#sha384)$/,
  CanonicalizationMethod: /^http:\/\/www\.w3\.org\/2001\/10\/xml-exc-c14n#$/,
  Transform: /^http:\/\/www\.w3\.org\/(?:2000\/09\/xmldsig#enveloped-signature|2001\/10\/xml-exc-c14n#)$/,
};

/** Throws the SignOnFault `not-verified`. */
export function readSamlText(base64: string): SamlText {
  const xml = decode(base64);
  // In XML a literal < begins markup: there is nothing else that these could be.
  if (xml.includes('<!')) throw refused('it has a document type, a comment or a CDATA section');
  if (xml.replace(/^<\?xml\s[^?<>]{0,200}\?>/, '').includes('<?'))
    throw refused('it has a processing instruction');
  const scan = new DocumentScan();
  const parser = new Parser(
    { onopentag: (name, attributes) => scan.open(name, attributes), onclosetag: () => scan.close() },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return { xml, ...scan.finish() };
}

function decode(base64: string): string {
  const compact = base64.replaceAll(/\s/g, '');
  if (compact.length > Math.ceil(samlBytesMax / 3) * 4)
    throw refused(`it is longer than ${samlBytesMax} bytes`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw refused('it is not in base64');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(compact, 'base64'));
  } catch {
    throw refused('it is not in UTF-8');
  }
}

class DocumentScan {
  readonly #path: string[] = [];
  readonly #seen = new Map<string, number>();
  #elements = 0;
  #attributes = 0;
  #namespaces = 0;
  #root: Readonly<Record<string, string>> | undefined;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const local = name.slice(name.indexOf(':') + 1);
    this.#path.push(local);
    this.#count(Object.keys(attributes));
    this.#root ??= attributes;
    const path = `/${this.#path.join('/')}`;
    if (Object.hasOwn(paths, local) && !paths[local]?.includes(path))
      throw refused(`it has the element ${path.slice(0, 100)}`);
    this.#seen.set(path, (this.#seen.get(path) ?? 0) + 1);
    const allowed = Object.hasOwn(algorithms, local) ? algorithms[local] : undefined;
    if (allowed && !allowed.test(attributes['Algorithm'] ?? ''))
      throw refused(`${local} has the algorithm ${(attributes['Algorithm'] ?? 'none').slice(0, 100)}`);
  }

  close(): void {
    this.#path.pop();
  }

  finish(): Pick<SamlText, 'destination' | 'inResponseTo'> {
    const [response, signature, assertion, inner, nameId] = [
      '/Response',
      '/Response/Signature',
      '/Response/Assertion',
      '/Response/Assertion/Signature',
      '/Response/Assertion/Subject/NameID',
    ] as const;
    if (this.#seen.get(response) !== 1) throw refused('it is not a SAML response');
    if (!this.#seen.has(assertion))
      throw new SignOnFault('provider-refused', 'the response has no assertion');
    for (const [path, what] of [
      [assertion, 'more than one assertion'],
      [signature, 'no signature of the response, or several'],
      [inner, 'no signature of the assertion, or several'],
      [nameId, 'no NameID, or several'],
    ] as const)
      if (this.#seen.get(path) !== 1) throw refused(`it has ${what}`);
    return { destination: this.#root?.['Destination'], inResponseTo: this.#root?.['InResponseTo'] };
  }

  #count(attributes: readonly string[]): void {
    this.#elements += 1;
    this.#attributes += attributes.length;
    this.#namespaces += attributes.filter((name) => name.startsWith('xmlns')).length;
    const isTooMuch =
      this.#elements > elementsMax ||
      this.#attributes > attributesMax ||
      this.#namespaces > namespacesMax ||
      this.#path.length > depthMax;
    if (isTooMuch) throw refused('it has too many elements or attributes, or too deep ones');
  }
}

function refused(why: string): SignOnFault {
  return new SignOnFault('not-verified', `the response is refused: ${why}`);
}

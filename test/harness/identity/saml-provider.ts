/** A SAML identity provider of another implementation than the one under test (samlify). Its assertions can be wrong in every part. */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { x509 } from '../network/x509.ts';

interface Entity {
  getMetadata(): string;
  parseLoginRequest(
    sp: Entity,
    binding: string,
    request: { query: { SAMLRequest: string } },
  ): Promise<{ extract: { request?: { id?: string } } }>;
  createLoginResponse(
    sp: Entity,
    request: object,
    binding: string,
    user: object,
    options: { customTagReplacement: () => { id: string; context: string } },
  ): Promise<{ context: string }>;
}

// Not by import: its declarations bring those of browsers along, into every file of the program.
const require = createRequire(import.meta.url);
const { IdentityProvider, ServiceProvider, setSchemaValidator } = require('samlify') as {
  IdentityProvider: (settings: object) => Entity;
  ServiceProvider: (settings: object) => Entity;
  setSchemaValidator: (validator: { validate: () => Promise<string> }) => void;
};

setSchemaValidator({ validate: async () => 'not needed for tests' });

export interface SamlProvider {
  readonly entityId: string;
  readonly entryPoint: string;
  readonly certificate: string;
  readonly metadata: string;
  /** The id of the request that a URL at the provider carries. */
  requestId(url: string): Promise<string>;
  /** A response as XML, signed in the way that is asked for. */
  respond(assertion: SamlAssertion): Promise<string>;
}

export interface SamlAssertion {
  /** Of the server that the response is for. */
  readonly spMetadata: string;
  readonly inResponseTo: string;
  readonly nameId?: string;
  readonly nameIdFormat?: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly id?: string;
  /** What to write in place of what is right. */
  readonly destination?: string;
  readonly recipient?: string;
  readonly audience?: string;
  readonly issuer?: string;
  readonly subjectInResponseTo?: string;
  /** Minutes from now. */
  readonly notBefore?: number;
  readonly notOnOrAfter?: number;
  readonly signs?: 'both' | 'response' | 'assertion';
  readonly algorithm?: string;
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
} as const;
const dayMs = 24 * 3600 * 1000;

export async function samlProvider(
  name = 'idp.example',
  entryPoint = `https://${name}/sso`,
): Promise<SamlProvider> {
  const { key, certificate } = await signingKey(name);
  const entityId = `https://${name}/metadata`;
  const idpOf = (requestSignatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256') =>
    IdentityProvider({
      entityID: entityId,
      signingCert: certificate,
      privateKey: key,
      nameIDFormat: [persistent],
      singleSignOnService: [{ Binding: redirect, Location: entryPoint }],
      singleLogoutService: [{ Binding: redirect, Location: entryPoint }],
      requestSignatureAlgorithm,
    });
  const idp = idpOf();
  return {
    entityId,
    entryPoint,
    certificate,
    metadata: idp.getMetadata(),
    requestId: async (url) => {
      const SAMLRequest = new URL(url).searchParams.get('SAMLRequest') ?? '';
      const sp = ServiceProvider({ entityID: 'any' });
      const { extract } = await idp.parseLoginRequest(sp, 'redirect', { query: { SAMLRequest } });
      return String(extract.request?.id);
    },
    respond: async (assertion) => {
      const { signs = 'both', spMetadata } = assertion;
      const wanted = signs === 'response' ? 'false' : 'true';
      const sp = ServiceProvider({
        metadata: spMetadata.replace(/WantAssertionsSigned="\w+"/, `WantAssertionsSigned="${wanted}"`),
        wantMessageSigned: signs !== 'assertion',
      });
      const xml = responseXml(assertion, entityId);
      const made = await idpOf(assertion.algorithm).createLoginResponse(
        sp,
        { extract: { request: { id: assertion.inResponseTo } } },
        'post',
        {},
        {
          customTagReplacement: () => ({ id: 'unused', context: xml }),
        },
      );
      return Buffer.from(made.context, 'base64').toString('utf8');
    },
  };
}

async function signingKey(name: string) {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const nowMs = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(nowMs - dayMs),
    notAfter: new Date(nowMs + dayMs),
    signingAlgorithm: algorithm,
    keys,
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), certificate: certificate.toString('pem') };
}

function responseXml(given: SamlAssertion, entityId: string): string {
  const acs = /AssertionConsumerService[^>]*Location="([^"]+)"/.exec(given.spMetadata)?.[1] ?? '';
  const audience = /entityID="([^"]+)"/.exec(given.spMetadata)?.[1] ?? '';
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const { inResponseTo, notBefore = -1, notOnOrAfter = 60, attributes = {}, issuer = entityId } = given;
  const id = () => `_${randomBytes(12).toString('hex')}`;
  const assertionNamespace = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
  const statements = Object.entries(attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ${assertionNamespace} ID="${id()}" Version="2.0" ` +
    `IssueInstant="${at(0)}" Destination="${given.destination ?? acs}" InResponseTo="${inResponseTo}">` +
    `<saml:Issuer>${issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>` +
    `<saml:Assertion ${assertionNamespace} ID="${given.id ?? id()}" Version="2.0" IssueInstant="${at(0)}">` +
    `<saml:Issuer>${issuer}</saml:Issuer><saml:Subject>` +
    `<saml:NameID Format="${given.nameIdFormat ?? persistent}">${given.nameId ?? 'ann'}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData ` +
    `NotOnOrAfter="${at(notOnOrAfter)}" Recipient="${given.recipient ?? acs}" ` +
    `InResponseTo="${given.subjectInResponseTo ?? inResponseTo}"/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(notBefore)}" NotOnOrAfter="${at(notOnOrAfter)}"><saml:AudienceRestriction>` +
    `<saml:Audience>${given.audience ?? audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>` +
    `urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    (statements.length === 0
      ? ''
      : `<saml:AttributeStatement>${statements.join('')}</saml:AttributeStatement>`) +
    '</saml:Assertion></samlp:Response>'
  );
}

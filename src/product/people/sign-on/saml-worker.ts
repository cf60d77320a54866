/**
 * The worker thread that speaks SAML with node-saml. Canonicalizing and verifying XML takes seconds for large responses, and anyone may send
 * one, so none of it happens where requests are answered. A call depends on its arguments alone.
 */
import { createRequire } from 'node:module';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { secondMs } from '../../../model/durations.ts';
import { clockSkewSeconds } from './oidc-client.ts';
import type { XmlElement } from './saml-assertion.ts';

interface Saml {
  getAuthorizeUrlAsync(relayState: string, host: undefined, options: object): Promise<string>;
  generateServiceProviderMetadata(decryptionCertificate: null, signingCertificate: null): string;
  validatePostResponseAsync(form: {
    SAMLResponse: string;
  }): Promise<{ profile: { getAssertion?(): object } | null }>;
}

// Not by import: its declarations bring those of browsers along, into every file of the program.
const require = createRequire(import.meta.url);
const { SAML } = require('@node-saml/node-saml') as {
  SAML: new (config: object) => Saml;
};

export interface SamlParties {
  /** The provider's. */
  readonly entryPoint: string;
  readonly certificates: readonly string[];
  /** Ours. */
  readonly entityId: string;
  readonly acs: string;
  /** The only request that a response may answer. */
  readonly requestId: string;
}

/** A failure that is the sender's: errors lose their class between threads. */
export type VerifiedXml = { readonly assertion: XmlElement } | { readonly refused: string };

const calls = {
  requestUrl: (parties: SamlParties, relayState: string): Promise<string> =>
    new SAML(configOf(parties)).getAuthorizeUrlAsync(relayState, undefined, {}),

  metadata: (parties: SamlParties): string =>
    new SAML(configOf(parties)).generateServiceProviderMetadata(null, null),

  verify: async (parties: SamlParties, xml: string): Promise<VerifiedXml> => {
    try {
      const SAMLResponse = Buffer.from(xml).toString('base64');
      const { profile } = await new SAML(configOf(parties)).validatePostResponseAsync({ SAMLResponse });
      const { Assertion: assertion } = (profile?.getAssertion?.() ?? {}) as { Assertion?: XmlElement };
      return assertion ? { assertion } : { refused: 'there is no assertion' };
    } catch (error) {
      return { refused: error instanceof Error ? error.message : 'unknown error' };
    }
  },
};

export type SamlCalls = typeof calls;

/** The library compares the age of requests with its own clock; the store has done so with ours. */
const aheadOfClock = '9999-01-01T00:00:00Z';

function configOf({ entryPoint, certificates, entityId, acs, requestId }: SamlParties): object {
  return {
    issuer: entityId,
    audience: entityId,
    callbackUrl: acs,
    entryPoint,
    idpCert: [...certificates],
    wantAuthnResponseSigned: true,
    wantAssertionsSigned: true,
    validateInResponseTo: 'always',
    // The store has the open requests and has just used this one up: no other one may be answered.
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id: string) => (id === requestId ? aheadOfClock : null),
      removeAsync: async (id: string | null) => id,
    },
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: clockSkewSeconds * secondMs,
    // Which kind of name and of sign-in there is, the provider decides.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: 'sha256',
  };
}

/** The XML parser reports faults of a text on the console, to which others must not be able to write. */
for (const method of ['warn', 'error'] as const) console[method] = () => undefined;

serveWorkerCalls(calls);

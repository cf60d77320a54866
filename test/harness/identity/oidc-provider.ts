/** A real OpenID Connect provider in this process (oidc-provider), which asks nobody for a password. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import { canaryKey } from '../artifacts.ts';
import type { TestScope } from '../test-scope.ts';

export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Lets the server under test have its answers sent to this address. */
  allow(redirectUri: string): void;
  /** Visits the address as a browser does, signs in as this subject, and returns where the provider sends the browser back to. */
  signIn(url: string, subject: string): Promise<string>;
}

export type OidcClaims = Readonly<Record<string, unknown>>;

export async function oidcProvider(
  scope: TestScope,
  people: Readonly<Record<string, OidcClaims>>,
  host = '127.0.0.1',
): Promise<OidcProvider> {
  const allowed = new Set<string>();
  const clientId = 'nameglass';
  const clientSecret = canaryKey();
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider as Provider, request, response);
    else void provider?.callback()(request, response);
  });
  server.listen(0, host === 'localhost' ? '127.0.0.1' : host);
  await once(server, 'listening');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  provider = new Provider(issuer, {
    clients: [
      { client_id: clientId, client_secret: clientSecret, redirect_uris: ['http://127.0.0.1/unused'] },
    ],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'groups', 'realm_access', 'code'],
      email: ['email', 'email_verified'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['test'] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people[accountId] }),
    }),
    // Nobody is asked whether the server may know who they are.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new (provider as Provider).Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  Object.assign(provider.Client.prototype as object, {
    redirectUriAllowed: (uri: string) => allowed.has(uri),
  });
  return {
    issuer,
    clientId,
    clientSecret,
    allow: (redirectUri) => void allowed.add(redirectUri),
    signIn: (url, subject) => signIn(url, subject, issuer),
  };
}

/** A page with a field for the subject; what is posted signs in. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'POST') {
    const accountId = new URLSearchParams(await text(request)).get('subject') ?? '';
    return provider.interactionFinished(request, response, { login: { accountId } });
  }
  response.setHeader('content-type', 'text/html');
  response.end(
    `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><h1>The provider</h1>
     <form method="post"><label>Subject <input name="subject"></label><button>Sign in there</button></form>`,
  );
}

async function signIn(first: string, subject: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = first;
  for (let steps = 0; steps < 10; steps += 1) {
    if (!url.startsWith(issuer)) return url;
    const isForm = url.includes('/interaction/');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(isForm ? { method: 'POST', body: new URLSearchParams({ subject }) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error('the provider goes in circles');
}

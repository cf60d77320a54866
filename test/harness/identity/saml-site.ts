/** The web site of a SAML identity provider: its page posts the response to the server under test, as providers do. */

import type { TestContext } from 'node:test';
import { escapeHtml } from '../../../src/model/escape-html.ts';
import { openReceiver } from '../network/http-receiver.ts';
import type { TestServer } from '../server/test-server.ts';
import { type SamlAssertion, type SamlProvider, samlProvider } from './saml-provider.ts';

/** `host`: another name than that of the server makes it another site. */
export async function samlSite(
  t: TestContext,
  { server, host, ...assertion }: { server: TestServer; host: string } & Partial<SamlAssertion>,
): Promise<SamlProvider> {
  let provider: SamlProvider | undefined;
  const receiver = await openReceiver(t, {
    answer: async ({ path }, response) => {
      const url = new URL(path, 'http://idp.invalid');
      response.setHeader('content-type', 'text/html');
      if (url.pathname !== '/sso' || !provider) return void response.writeHead(404).end();
      const { acs, metadata } = await partnerOf(server);
      const inResponseTo = await provider.requestId(url.href);
      const xml = await provider.respond({ spMetadata: metadata, inResponseTo, ...assertion });
      const field = (name: string, value: string) =>
        `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
      response.end(
        `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><h1>The SAML provider</h1><form method="post" action="${acs}">` +
          field('SAMLResponse', Buffer.from(xml).toString('base64')) +
          field('RelayState', url.searchParams.get('RelayState') ?? '') +
          '<button>Sign in there</button></form>',
      );
    },
  });
  const base = receiver.url.replace('127.0.0.1', host);
  provider = await samlProvider('idp.example', `${base}sso`);
  return provider;
}

/** The only SAML provider that the server knows, from our side. */
async function partnerOf(server: TestServer): Promise<{ acs: string; metadata: string }> {
  const offered = await server.signOn.listOfferedProviders(100);
  const { id } = offered.find(({ connection }) => connection.kind === 'saml') ?? { id: '' };
  const path = `/ui/auth/saml/${id}/metadata`;
  const { text: metadata } = await server.call(`GET ${path}`, { headers: { host: '127.0.0.1' } });
  const acs = /AssertionConsumerService[^>]*Location="([^"]+)"/.exec(metadata)?.[1] ?? '';
  return { acs, metadata };
}

/** A server with some data that listens, and a front that adds the key to requests of software that cannot send one. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { type TestServer, type TestUser, testServer } from '../../harness/server/test-server.ts';
import type { TestScope } from '../../harness/test-scope.ts';

export interface AssistantServer {
  readonly server: TestServer;
  readonly user: TestUser;
  /** Of the server itself, and of the front. */
  readonly url: string;
  readonly frontUrl: string;
}

export const knownDomain = 'acme-login.example';

/** Without limits that a test suite would run into. */
export async function assistantServer(scope: TestScope): Promise<AssistantServer> {
  const settings = {
    'limits.assistant.requestsPerSecond': '100000',
    'limits.assistant.burstRequests': '100000',
  };
  const server = await testServer(scope, { settings });
  const user = await server.user();
  const atMs = server.clock.now();
  await server.domains.upsert([
    {
      record: { domain: knownDomain, registrar: 'First Registrar', website_title: 'Sign in' },
      source: 'test',
      seenMs: atMs,
    },
  ]);
  await server.names.recordNames('test', [knownDomain], atMs, undefined);
  const monitorId = await watchTerm(server.monitors, user.caller.account.id, atMs);
  await discover(server.watchlist, {
    accountId: user.caller.account.id,
    monitorId,
    domains: [knownDomain],
    atMs,
  });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  return {
    server,
    user,
    url: `http://127.0.0.1:${port}/v1/mcp`,
    frontUrl: `http://127.0.0.1:${await startFront(scope, port, user.key)}/v1/mcp`,
  };
}

/** Passes everything on, Host and Origin included, with the key. */
async function startFront(scope: TestScope, port: number, key: string): Promise<number> {
  const front = createServer((incoming, reply) => {
    const { method, url: path, headers } = incoming;
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, 'x-api-key': key },
    });
    outgoing.on('response', (response) => {
      reply.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(reply);
    });
    outgoing.on('error', () => reply.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  scope.after(() => {
    front.closeAllConnections();
    front.close();
  });
  return (front.address() as AddressInfo).port;
}

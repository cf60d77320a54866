/** A server that answers in ways in which a good one never does: cut, without an end, refused for a while, redirected. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { TestScope } from '../../harness/test-scope.ts';

const begun = '{"cond":"begin"}\n{"obj":{"rrname":"a.example."}}\n';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** The connection is closed as soon as the client has had something to read. */
function cut(response: ServerResponse, bytes: string | Buffer): void {
  response.write(bytes, () => setTimeout(() => response.destroy(), 50));
}

const answers: Readonly<Record<string, Answer>> = {
  '/pdns/v2/lookup/cut': (response) => cut(response, begun),
  '/pdns/v2/lookup/without-end': (response) => response.end(begun),
  '/pdns/v2/lookup/half-line': (response) => response.end(`${begun}{"obj":`),
  '/pdns/v2/lookup/failed': (response) =>
    response.end(`${begun}{"cond":"failed","msg":"processing error"}\n`),
  '/pdns/v2/lookup/short-length': (response) => {
    response.setHeader('content-length', 1000);
    cut(response, begun);
  },
  '/pdns/v2/lookup/cut-gzip': (response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(`${begun}{"cond":"succeeded"}\n`).subarray(0, -12));
  },
  '/v1/limited/long': (response) => response.writeHead(429, { 'retry-after': '3600' }).end(),
  '/v1/moved': (response) => response.writeHead(301, { location: 'https://elsewhere.example/' }).end(),
  '/v1/html': (response) => response.end('<html>'),
  '/headers': (response, request) => response.end(JSON.stringify(request.headers)),
};

/** Its address. */
export async function brokenServer(scope: TestScope): Promise<string> {
  const refused = new Set<string>();
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    if (url.startsWith('/v1/limited/once/')) {
      const again = refused.has(url);
      refused.add(url);
      if (again) response.end('{"ok":true}');
      else response.writeHead(429, { 'retry-after': '1' }).end();
    } else (answers[url] ?? ((other) => other.writeHead(404).end()))(response, request);
  });
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

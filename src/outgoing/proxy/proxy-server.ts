/**
 * The HTTP side of the browser proxy: absolute-form requests and CONNECT tunnels. The `connect` callback decides where they may go.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Connection } from '../guarded-dialer.ts';
import { createServer, request as requestHttp } from '../node-http.ts';

type Connect = (host: string, port: number) => Promise<Connection>;

const headerBytesMax = 65_536;
const clientsMax = 64;
const challenge = 'Basic realm="browser"';
/** Hop-by-hop headers. */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function proxyServer(credentials: string, connect: Connect): Server {
  const expected = Buffer.from(`Basic ${Buffer.from(credentials).toString('base64')}`);
  const isAuthorized = ({ headers }: IncomingMessage) => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const server = createServer({ maxHeaderSize: headerBytesMax });
  server.maxConnections = clientsMax;
  server.on('request', (request, answer) => {
    if (!isAuthorized(request)) return void answer.writeHead(407, { 'proxy-authenticate': challenge }).end();
    // An error page of the proxy would be taken for the requested page, so a failure only closes the connection.
    forward(request, answer, connect).catch(() => request.socket.destroy());
  });
  server.on('connect', (request: IncomingMessage, client: Socket, first: Buffer) => {
    client.on('error', () => undefined);
    if (!isAuthorized(request))
      return void client.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${challenge}\r\nContent-Length: 0\r\n\r\n`,
      );
    tunnel(request.url ?? '', client, first, connect).catch(() => {
      if (client.bytesWritten === 0)
        client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      else client.destroy();
    });
  });
  return server;
}

async function tunnel(authority: string, client: Socket, first: Buffer, connect: Connect): Promise<void> {
  const [, host = '', port = ''] = /^(.{1,260}):(\d{1,5})$/.exec(authority) ?? [];
  const { socket } = await connect(host, Number(port));
  if (client.destroyed) {
    socket.destroy();
    return;
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (first.length > 0) socket.write(first);
  await Promise.allSettled([pipeline(client, socket), pipeline(socket, client)]);
}

async function forward(request: IncomingMessage, answer: ServerResponse, connect: Connect): Promise<void> {
  const url = URL.parse(request.url ?? '');
  if (url?.protocol !== 'http:') throw new Error('only http URLs can be requested without a tunnel');
  const { socket } = await connect(url.hostname, url.port === '' ? 80 : Number(url.port));
  const { method = 'GET', rawHeaders } = request;
  const sent = requestHttp({
    method,
    path: url.pathname + url.search,
    headers: ownHeaders(rawHeaders),
    // Browsers tolerate malformed headers. One response per connection rules out response splitting.
    insecureHTTPParser: true,
    maxHeaderSize: headerBytesMax,
    createConnection: () => socket,
  });
  request.socket.once('close', () => socket.destroy());
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
    sent.once('close', () => reject(new Error('no response')));
  });
  await Promise.all([
    pipeline(request, sent),
    responded.then((got) => {
      answer.writeHead(got.statusCode ?? 502, got.statusMessage, ownHeaders(got.rawHeaders));
      return pipeline(got, answer);
    }),
  ]);
}

/** In pairs of name and value, as received. */
function ownHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? '';
    return !hopHeaders.has(name.toLowerCase());
  });
}

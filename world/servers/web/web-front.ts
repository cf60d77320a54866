/**
 * One front for everything that speaks HTTP in the world: the same two ports on every address, certificates by the name that a client asks
 * for, and the Host header says whom it wants to see.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { type OpenListeners, openListeners } from './open-listeners.ts';
import { inText, sendReply, type Visit } from './reply.ts';

/** An import of the module would load a WebSocket client, which nobody here needs and which takes 13 MB. */
const { createServer } = process.getBuiltinModule('node:http');

export interface WebFrontNeeds {
  readonly addresses: readonly string[];
  /** Undefined: no site of that name has TLS, and the handshake fails. */
  readonly findContext: (host: string) => SecureContext | undefined;
  readonly visit: (visit: Visit) => Promise<void>;
  /** Handles a websocket upgrade request; returns whether it was accepted. */
  readonly upgrade: (host: string, request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
}

const silenceMaxMs = 120_000;
const headerBytesMax = 16_384;

export async function startWebFront(needs: WebFrontNeeds): Promise<OpenListeners<'http' | 'https'>> {
  const options = { maxHeaderSize: headerBytesMax };
  const plain = createServer(options);
  const secure = createTlsServer({
    ...options,
    SNICallback: (host, done) => {
      const context = needs.findContext(host.toLowerCase());
      if (context) done(null, context);
      else done(new Error('unrecognized name'));
    },
  });
  for (const [server, isSecure] of [
    [plain, false],
    [secure, true],
  ] as const) {
    server.timeout = silenceMaxMs;
    server.on('request', (request, response) => {
      receive(request, response, isSecure, needs).catch(() => response.destroy());
    });
    server.on('upgrade', (request, socket, head) => {
      if (!needs.upgrade(hostOf(request), request, socket, head)) socket.destroy();
    });
    server.on('clientError', (_, socket) => socket.destroy());
  }
  const hand = (server: typeof plain | typeof secure) => (socket: Socket) =>
    void server.emit('connection', socket);
  return openListeners(
    needs.addresses.map((address) => ({ address, accept: { http: hand(plain), https: hand(secure) } })),
  );
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  isSecure: boolean,
  needs: WebFrontNeeds,
): Promise<void> {
  // Request bodies are discarded.
  request.resume();
  const host = hostOf(request);
  const url = findUrl(request);
  const visit = { request, response, host, isSecure, address: request.socket.localAddress ?? '' };
  if (url) await needs.visit({ ...visit, url });
  else await sendReply({ ...visit, url: new URL('http://unknown/') }, inText(400, 'bad request'));
}

function hostOf({ headers }: IncomingMessage): string {
  return (headers.host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

function findUrl({ url = '/' }: IncomingMessage): URL | undefined {
  const text = `http://host${url.replace(/^https?:\/\/[^/]*/i, '').replace(/^(?!\/)/, '/')}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** A real HTTP server on this machine that keeps what it is sent, and answers as the test wants. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { TlsCertificate } from './tls-certificate.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Resolves when so many requests have come. */
  until(count: number): Promise<void>;
}

export interface ReceiverOptions {
  readonly host?: string;
  readonly port?: number;
  readonly tls?: TlsCertificate;
  /** By default 200 and nothing more. */
  readonly answer?: (received: Received, response: ServerResponse) => void | Promise<void>;
}

export async function openReceiver(t: TestContext, options: ReceiverOptions = {}): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, tls, answer = (_, response) => void response.end() } = options;
  const received: Received[] = [];
  const waiting: { readonly count: number; readonly tell: () => void }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: await text(request) };
    received.push(one);
    await answer(one, response);
    for (const { count, tell } of waiting) if (received.length >= count) tell();
  };
  const listener: RequestListener = (request, response) =>
    void take(request, response).catch(() => response.destroy());
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.listen(port, host);
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http${tls ? 's' : ''}://${host}:${bound}/`,
    port: bound,
    received,
    until: async (count) => {
      if (received.length >= count) return;
      await new Promise<void>((tell) => waiting.push({ count, tell }));
    },
  };
}

/** A local HTTP server that records requests and responds as the test defines. */
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
  /** Resolves when this many requests have arrived. */
  until(count: number): Promise<void>;
}

export interface ReceiverOptions {
  readonly host?: string;
  readonly port?: number;
  readonly tls?: TlsCertificate;
  /** By default an empty 200. */
  readonly answer?: (received: Received, response: ServerResponse) => void | Promise<void>;
}

export async function openReceiver(t: TestContext, options: ReceiverOptions = {}): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, tls, answer = (_, response) => void response.end() } = options;
  const received: Received[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: await text(request) };
    received.push(one);
    await answer(one, response);
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
  };
  const listener: RequestListener = (request, response) =>
    void handle(request, response).catch(() => response.destroy());
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
      await new Promise<void>((resolve) => waiting.push({ count, resolve }));
    },
  };
}

/** Stands before an object store, so that a test can act at the moment when an object arrives there, or is stored. */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface S3ProxyEvents {
  /** Whether no request is answered. */
  isAway?(): boolean;
  /** False: the request goes no further. */
  onUpload?(): boolean;
  /** The object is stored, and nobody knows yet. False: nobody will. */
  onStored?(): boolean;
}

/** Returns its endpoint. */
export async function startS3Proxy(t: TestContext, endpoint: string, events: S3ProxyEvents): Promise<string> {
  const server = createServer((request, response) => {
    if (events.isAway?.()) return void request.destroy();
    const isUpload = request.method === 'PUT';
    if (isUpload && events.onUpload?.() === false) return void request.destroy();
    const { method, headers } = request;
    const forwarded = send(new URL(request.url ?? '/', endpoint), { method, headers }, (answer) => {
      if (isUpload && events.onStored?.() === false) return void answer.destroy();
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

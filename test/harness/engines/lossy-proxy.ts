/** Stands before a server that speaks HTTP, so that a test can lose requests, or answers to them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** `answer`: the server does what it is asked, and the connection ends without an answer. `half`: it ends within the request. */
export type Lost = 'nothing' | 'answer' | 'half' | 'request';

/** Returns its URL. `loses` is asked for each request. */
export async function startLossyProxy(
  t: TestContext,
  target: string,
  loses: (url: URL) => Lost,
): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', target);
    const lost = loses(url);
    if (lost === 'request') return void request.destroy();
    void bodyOf(request).then((body) => {
      const { method, headers } = request;
      const forwarded = send(url, { method, headers }, (answer) => {
        if (lost === 'answer') {
          answer.resume();
          answer.on('end', () => response.destroy());
          return;
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      if (lost !== 'half') return void forwarded.end(body);
      forwarded.write(body.subarray(0, body.length / 2), () => {
        forwarded.destroy();
        response.destroy();
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

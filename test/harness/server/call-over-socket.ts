/** A request on a real connection, for what injection would normalise: the case of headers, the raw request line. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestServer } from './test-server.ts';

export async function callOverSocket(
  { app }: TestServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number | undefined; text: string }> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path, headers, agent: false });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: await text(answer) };
}

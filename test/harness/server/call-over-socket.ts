/** A request on a real connection, for what injection would normalise: the case of headers, the raw request line. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { clientAddress } from './client-address.ts';
import type { TestServer } from './test-server.ts';

export async function callOverSocket(
  { app }: TestServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number | undefined; text: string }> {
  const { host, port } = await clientAddress(app);
  const sent = request({ host, port, path, headers, agent: false });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: await text(answer) };
}

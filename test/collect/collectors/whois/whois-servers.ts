/** WHOIS servers, each on its own loopback address and all on one port. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createDialer } from '../../../../src/outgoing/guarded-dialer.ts';

/** Answers a query line; a returned string is sent, and the connection closed. */
export type Answer = (line: string, socket: Socket) => string | undefined;

export interface WhoisServers {
  readonly port: number;
  readonly dialer: ReturnType<typeof createDialer>;
  /** `server line`, in order of arrival. */
  readonly asked: string[];
  /** Names that were resolved. */
  readonly resolved: string[];
}

/** By host name. Other hosts have no address. */
export async function openWhoisServers(
  t: TestContext,
  answers: Readonly<Record<string, Answer>>,
): Promise<WhoisServers> {
  const asked: string[] = [];
  const resolved: string[] = [];
  const addresses = new Map(Object.keys(answers).map((host, index) => [host, `127.0.43.${index + 1}`]));
  let port = 0;
  for (const [host, address] of addresses) {
    const server = createServer((socket) =>
      serve(socket, (line) => {
        asked.push(`${host} ${line}`);
        return (answers[host] as Answer)(line, socket);
      }),
    );
    port = await listen(server, port, address);
    t.after(() => server.close());
  }
  const resolve = async (host: string) => {
    resolved.push(host);
    return [addresses.get(host) ?? []].flat();
  };
  return {
    port,
    asked,
    resolved,
    dialer: createDialer({ settings: { outgoing: { allow: ['127.0.43.0/24'] } }, resolve }),
  };
}

function serve(socket: Socket, answer: (line: string) => string | undefined): void {
  let received = '';
  socket.on('error', () => undefined);
  socket.on('data', (piece: Buffer) => {
    received += piece.toString('latin1');
    if (!received.endsWith('\r\n')) return;
    const text = answer(received.slice(0, -2));
    received = '';
    if (text !== undefined) socket.end(text);
  });
}

async function listen(server: Server, port: number, address: string): Promise<number> {
  server.listen(port, address);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Listeners where nobody has any business: whoever connects to one is remembered, and hung up on. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { TestContext } from 'node:test';

export interface TrapPlace {
  readonly host: string;
  readonly port: number;
}

export interface Traps {
  /** Those that are set; some ports may be somebody else's. */
  readonly places: readonly TrapPlace[];
  readonly caught: readonly TrapPlace[];
}

export async function setTraps(
  t: TestContext,
  hosts: readonly string[],
  ports: readonly number[],
): Promise<Traps> {
  const caught: TrapPlace[] = [];
  const places: TrapPlace[] = [];
  const servers: Server[] = [];
  t.after(() => Promise.all(servers.map((server) => new Promise((resolve) => void server.close(resolve)))));
  for (const place of hosts.flatMap((host) => ports.map((port) => ({ host, port })))) {
    const server = createServer((socket) => {
      caught.push(place);
      socket.on('error', () => undefined).destroy();
    });
    server.listen({ ...place, exclusive: true });
    const isOpen = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isOpen) continue;
    servers.push(server);
    places.push(place);
  }
  return { places, caught };
}

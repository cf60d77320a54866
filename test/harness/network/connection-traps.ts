/** Listeners on addresses that must not be contacted: each connection is recorded and closed. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { TestScope } from '../test-scope.ts';

export interface TrapAddress {
  readonly host: string;
  readonly port: number;
}

export interface Traps {
  /** The addresses that could be bound; some ports may be in use. */
  readonly addresses: readonly TrapAddress[];
  readonly caught: readonly TrapAddress[];
}

export async function setTraps(
  scope: TestScope,
  hosts: readonly string[],
  ports: readonly number[],
): Promise<Traps> {
  const caught: TrapAddress[] = [];
  const addresses: TrapAddress[] = [];
  const servers: Server[] = [];
  scope.after(() =>
    Promise.all(servers.map((server) => new Promise((resolve) => void server.close(resolve)))),
  );
  for (const address of hosts.flatMap((host) => ports.map((port) => ({ host, port })))) {
    const server = createServer((socket) => {
      caught.push(address);
      socket.on('error', () => undefined).destroy();
    });
    server.listen({ ...address, exclusive: true });
    const isOpen = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isOpen) continue;
    servers.push(server);
    addresses.push(address);
  }
  return { addresses, caught };
}

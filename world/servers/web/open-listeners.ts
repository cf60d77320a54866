/** Listens on many addresses with the same port numbers on all of them: the numbers are what the settings can say, the addresses are in DNS. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export interface Place<Kind extends string> {
  readonly address: string;
  /** By what is spoken on the port. */
  readonly accept: Readonly<Record<Kind, (socket: Socket) => void>>;
}

export interface OpenListeners<Kind extends string> {
  readonly ports: Readonly<Record<Kind, number>>;
  /** Ends every connection at once. */
  close(): Promise<void>;
}

const attemptsMax = 50;

/** `suggest` names the port to be tried next, 0 for any that is free. */
export async function openListeners<Kind extends string>(
  places: readonly Place<Kind>[],
  suggest: () => number = () => 0,
): Promise<OpenListeners<Kind>> {
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const close = async () => {
    const closed = Promise.all(servers.map(closeServer));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const ports: Partial<Record<Kind, number>> = {};
  try {
    for (const kind of Object.keys(places[0]?.accept ?? {}) as Kind[]) {
      const opened = await openOnOnePort(
        places.map(({ address, accept }) => ({ address, accept: accept[kind] })),
        sockets,
        suggest,
      );
      ports[kind] = opened.port;
      servers.push(...opened.servers);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { ports: ports as Record<Kind, number>, close };
}

interface SingleEndpoint {
  readonly address: string;
  readonly accept: (socket: Socket) => void;
}

/** A port that is free at the first address may be taken at another; then all begin again with a new one. */
async function openOnOnePort(
  places: readonly SingleEndpoint[],
  sockets: Set<Socket>,
  suggest: () => number,
): Promise<{ readonly port: number; readonly servers: readonly Server[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const servers: Server[] = [];
    let port = suggest();
    try {
      for (const { address, accept } of places) {
        const server = createServer((socket) => {
          sockets.add(socket);
          socket.on('close', () => sockets.delete(socket));
          // Clients go away in the middle of everything; that is theirs to decide.
          socket.on('error', () => undefined);
          accept(socket);
        });
        await listen(server, address, port);
        servers.push(server);
        port = portOf(server);
      }
      return { port, servers };
    } catch (error) {
      await Promise.all(servers.map(closeServer));
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === attemptsMax) throw error;
    }
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

async function closeServer(server: Server): Promise<void> {
  await new Promise((resolve) => void server.close(resolve));
}

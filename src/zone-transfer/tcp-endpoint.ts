/**
 * Requests over TCP, one after another on each connection (RFC 7766). A request must arrive whole within a time, and a client that reads too slowly is cut
 * off, so that nobody holds a connection for nothing.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { inFlow, noteConnection, yieldIfIterationIsFull } from '../concurrency/event-loop-slices.ts';

export type Answer = (
  bytes: Uint8Array,
  peer: { readonly address: string; readonly transport: 'tcp' },
) => AsyncGenerator<Buffer, void, undefined>;

export interface TcpOptions {
  readonly host: string;
  readonly port: number;
  readonly connectionsMax: number;
  readonly idleSeconds: number;
  readonly answer: Answer;
  readonly onFailure: (error: unknown) => void;
}

export interface TcpEndpoint {
  readonly port: number;
  connections(): number;
  close(): Promise<void>;
}

/** A request has a question, a SOA and a signature. */
const requestBytesMax = 4096;
/** Secondaries need one or two; others must find some free. */
const connectionsPerAddressMax = 10;

export async function listenTcp(options: TcpOptions): Promise<TcpEndpoint> {
  const open = new Map<Socket, Promise<void>>();
  const accept = (socket: Socket) => {
    noteConnection();
    socket.on('error', () => socket.destroy());
    const { remoteAddress: address = '' } = socket;
    const same = [...open.keys()].filter(({ remoteAddress }) => remoteAddress === address);
    if (open.size >= options.connectionsMax || same.length >= connectionsPerAddressMax) {
      socket.destroy();
      return;
    }
    const served = inFlow(`rpz ${address}`, () => serve(socket, address, options))
      .catch((error: unknown) => options.onFailure(error))
      .finally(() => {
        socket.destroy();
        open.delete(socket);
      });
    open.set(socket, served);
  };
  const server: Server = createServer({ keepAlive: true, noDelay: true }, accept);
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  server.on('error', options.onFailure);
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => open.size,
    async close() {
      const closed = once(server.close(), 'close');
      for (const socket of open.keys()) socket.destroy();
      await Promise.all([closed, ...open.values()]);
    },
  };
}

async function serve(socket: Socket, address: string, { idleSeconds, answer }: TcpOptions): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), idleSeconds * 1000);
  try {
    for await (const request of requestsOf(socket)) {
      for await (const message of answer(request, { address, transport: 'tcp' })) {
        timer.refresh();
        if (!(await send(socket, message))) return;
        await yieldIfIterationIsFull();
      }
      timer.refresh();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The requests of a connection; it ends with the first that is too long. Bytes are read as they are needed. */
async function* requestsOf(socket: Socket): AsyncGenerator<Uint8Array, void, undefined> {
  let pending = Buffer.alloc(0);
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      pending = Buffer.concat([pending, chunk as Buffer]);
      while (pending.length >= 2) {
        const length = pending.readUInt16BE(0);
        if (length > requestBytesMax) return;
        if (pending.length < 2 + length) break;
        yield pending.subarray(2, 2 + length);
        pending = pending.subarray(2 + length);
      }
    }
  } catch {
    // The client has closed the connection, or we have.
  }
}

/** Whether the connection is still open when the client has taken it. */
async function send(socket: Socket, message: Buffer): Promise<boolean> {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  if (socket.destroyed) return false;
  if (socket.write(Buffer.concat([length, message]))) return true;
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
  return !socket.destroyed;
}

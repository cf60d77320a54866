/**
 * Receives dnstap from resolvers, over a unix socket, over TCP, or both. Every connection is read by itself; one that
 * breaks the framing is closed, and the others go on.
 */
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { type ConnectionFault, DnstapConnection } from './connection.ts';
import { FrameIntake, type FrameIntakeEvent, type FrameIntakeNeeds } from './frame-intake.ts';
import { type ResponseKind, usualKinds } from './observations-of.ts';
import { removeStaleSocket } from './stale-socket.ts';
import { Turn } from './turn.ts';

export interface DnstapListenerOptions {
  readonly unixPath?: string;
  /** Only with `port`; the loopback address unless given. */
  readonly host?: string;
  readonly port?: number;
  readonly kinds?: readonly ResponseKind[];
  readonly flushSeconds?: number;
  readonly connectionsMax?: number;
  readonly handshakeSeconds?: number;
}

export type RefusedReason = ConnectionFault | 'too-many-connections';

export type DnstapEvent =
  | FrameIntakeEvent
  | { readonly event: 'listening'; readonly at: string }
  | { readonly event: 'connected'; readonly peer: string }
  | { readonly event: 'disconnected'; readonly peer: string }
  | { readonly event: 'refused'; readonly peer: string; readonly reason: RefusedReason };

export interface DnstapNeeds extends Omit<FrameIntakeNeeds, 'report'> {
  report(event: DnstapEvent): void;
}

export interface DnstapStatistics {
  /** Open at this moment; everything else counts from the start. */
  readonly connections: number;
  readonly frames: number;
  readonly observations: number;
  /** Answers with a response code other than 0. */
  readonly errors: number;
  readonly ignored: number;
  readonly malformed: number;
  /** Connections that were closed by us, each with a reported reason. */
  readonly refused: number;
}

export interface DnstapListener {
  /** The TCP port, where there is one. */
  readonly port: number | undefined;
  statistics(): DnstapStatistics;
  /** Accepts nothing more, deals with what has arrived, flushes, and removes the socket file. */
  close(): Promise<void>;
}

/** Members of the group may write to the socket: a resolver has a user of its own. */
const socketMode = 0o660;

export async function listenDnstap(
  options: DnstapListenerOptions,
  needs: DnstapNeeds,
): Promise<DnstapListener> {
  const listener = new Listener(options, needs);
  try {
    const { unixPath, host = '127.0.0.1', port } = options;
    if (unixPath !== undefined) await listener.listenUnix(unixPath);
    if (port !== undefined) await listener.listenTcp(host, port);
  } catch (error) {
    await listener.close();
    throw error;
  }
  return listener;
}

class Listener implements DnstapListener {
  readonly #needs: DnstapNeeds;
  readonly #frames: FrameIntake;
  readonly #connectionsMax: number;
  readonly #handshakeSeconds: number;
  readonly #turn = new Turn();
  readonly #servers: Server[] = [];
  readonly #connections = new Map<DnstapConnection, Promise<void>>();
  #refused = 0;
  port: number | undefined;

  constructor(options: DnstapListenerOptions, needs: DnstapNeeds) {
    const { kinds = usualKinds, flushSeconds = 2, connectionsMax = 64, handshakeSeconds = 10 } = options;
    this.#needs = needs;
    this.#frames = new FrameIntake(needs, kinds, flushSeconds);
    this.#connectionsMax = connectionsMax;
    this.#handshakeSeconds = handshakeSeconds;
  }

  async listenUnix(path: string): Promise<void> {
    await removeStaleSocket(path);
    await this.#listen({ path }, () => path);
    await chmod(path, socketMode);
    this.#needs.report({ event: 'listening', at: path });
  }

  async listenTcp(host: string, port: number): Promise<void> {
    const server = await this.#listen(
      { host, port },
      (socket) => `${socket.remoteAddress}:${socket.remotePort}`,
    );
    this.port = (server.address() as AddressInfo).port;
    this.#needs.report({ event: 'listening', at: `${host}:${this.port}` });
  }

  async #listen(where: ListenOptions, peerOf: (socket: Socket) => string): Promise<Server> {
    // Half open, because a writer may close its end before it has read FINISH; kept alive, because one that vanished
    // would hold its place forever.
    const server = createServer({ allowHalfOpen: true, keepAlive: true }, (socket) =>
      this.#welcome(socket, peerOf(socket)),
    );
    server.listen(where);
    await once(server, 'listening');
    server.on('error', (error) => this.#needs.report({ event: 'failed', error }));
    this.#servers.push(server);
    return server;
  }

  #welcome(socket: Socket, peer: string): void {
    socket.on('error', () => socket.destroy());
    if (this.#connections.size >= this.#connectionsMax) {
      socket.destroy();
      this.#refuse(peer, 'too-many-connections');
      return;
    }
    const connection = new DnstapConnection(socket, this.#frames, this.#turn);
    this.#connections.set(connection, this.#attend(connection, peer));
  }

  async #attend(connection: DnstapConnection, peer: string): Promise<void> {
    this.#needs.report({ event: 'connected', peer });
    try {
      const fault = await connection.run(this.#handshakeSeconds);
      if (fault) this.#refuse(peer, fault);
    } catch (error) {
      this.#needs.report({ event: 'failed', error });
    }
    this.#connections.delete(connection);
    this.#needs.report({ event: 'disconnected', peer });
  }

  #refuse(peer: string, reason: RefusedReason): void {
    this.#refused++;
    this.#needs.report({ event: 'refused', peer, reason });
  }

  statistics(): DnstapStatistics {
    return { connections: this.#connections.size, ...this.#frames.counts(), refused: this.#refused };
  }

  async close(): Promise<void> {
    const closed = this.#servers.splice(0).map((server) => once(server.close(), 'close'));
    for (const connection of this.#connections.keys()) connection.close();
    await Promise.all(this.#connections.values());
    await Promise.all(closed);
    try {
      await this.#frames.flush();
    } finally {
      this.#frames.stop();
    }
  }
}

/**
 * Receives dnstap from resolvers over a Unix socket, TCP, or both. A connection that violates the framing is closed; the others
 * continue.
 */
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { inFlow } from '../../concurrency/event-loop-slices.ts';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { type ConnectionFault, DnstapConnection } from './connection.ts';
import { FrameIntake, type FrameIntakeEvent, type FrameIntakeNeeds } from './frame-intake.ts';
import { defaultKinds, type ResponseKind } from './observations-of.ts';
import { removeStaleSocket } from './stale-socket.ts';

export interface DnstapListenerOptions {
  readonly unixPath?: string;
  /** Only with `port`; loopback by default. */
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
  /** Open now. */
  readonly connections: number;
  /** Of them now: resolvers that have sent more than was read, for over a second. Soon they drop what they cannot send. */
  readonly behind: number;
  /** This and all that follow are totals since the start. */
  readonly frames: number;
  readonly observations: number;
  /** Responses with an RCODE other than 0. */
  readonly errors: number;
  readonly ignored: number;
  readonly malformed: number;
  /** Connections closed by us, each with a reported reason. */
  readonly refused: number;
}

export interface DnstapListener {
  /** The TCP port, if any. */
  readonly port: number | undefined;
  statistics(): DnstapStatistics;
  /** Stops accepting, processes what has arrived, flushes, and removes the socket file. */
  close(): Promise<void>;
}

/** All resolvers share time slices that are their own, so that background work does not delay them. */
const flow = 'dnstap';

/** Group-writable, because the resolver runs as its own user. */
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
  readonly #timeSlice = new TimeSlice();
  readonly #servers: Server[] = [];
  readonly #connections = new Map<DnstapConnection, Promise<void>>();
  #refused = 0;
  port: number | undefined;

  constructor(options: DnstapListenerOptions, needs: DnstapNeeds) {
    const { kinds = defaultKinds, flushSeconds = 2, connectionsMax = 64, handshakeSeconds = 10 } = options;
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
    // Half-open, because a writer may close its end before it reads FINISH; keep-alive, because a vanished peer would occupy its
    // slot forever.
    const server = createServer({ allowHalfOpen: true, keepAlive: true }, (socket) =>
      this.#accept(socket, peerOf(socket)),
    );
    server.listen(where);
    await once(server, 'listening');
    server.on('error', (error) => this.#needs.report({ event: 'failed', error }));
    this.#servers.push(server);
    return server;
  }

  #accept(socket: Socket, peer: string): void {
    socket.on('error', () => socket.destroy());
    if (this.#connections.size >= this.#connectionsMax) {
      socket.destroy();
      this.#refuse(peer, 'too-many-connections');
      return;
    }
    const connection = new DnstapConnection(socket, this.#frames, this.#timeSlice);
    const serving = inFlow(flow, () => this.#serve(connection, peer));
    this.#connections.set(connection, serving);
  }

  async #serve(connection: DnstapConnection, peer: string): Promise<void> {
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
    const connections = [...this.#connections.keys()];
    const behind = connections.filter((connection) => connection.isBehind()).length;
    return { connections: connections.length, behind, ...this.#frames.counts(), refused: this.#refused };
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

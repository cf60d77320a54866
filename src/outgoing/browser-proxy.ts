/**
 * The way of one browser to the Internet: an HTTP proxy on a port of this machine, for whoever knows its password, for as long as one
 * page is looked at. Each connection is judged by the dialer, leads to the ports of http and https alone, and is counted: a page that
 * wants more than its share gets nothing more.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '../model/problem.ts';
import type { Connection, Dialer } from './guarded-dialer.ts';
import { proxyServer } from './proxy/proxy-server.ts';
import { Share } from './proxy/share.ts';

export interface BrowserProxyNeeds {
  readonly dialer: Pick<Dialer, 'connect'>;
  /** Where http and https are spoken. */
  readonly ports: { readonly http: number; readonly https: number };
  readonly password: string;
  /** A socket in the file system to listen on, for a browser in a network of its own; undefined: a port of this machine. */
  readonly path?: string | undefined;
  /** In both directions together. */
  readonly bytesMax: number;
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
}

export interface BrowserProxy {
  /** Undefined where there is a path. */
  readonly port: number | undefined;
  /** The address that a host was last found at. */
  findAddress(host: string): string | undefined;
  /** Why a host could not be reached. */
  findFault(host: string): string | undefined;
  readonly bytes: number;
  close(): Promise<void>;
}

export const proxyUser = 'browser';

export async function openBrowserProxy(needs: BrowserProxyNeeds): Promise<BrowserProxy> {
  const { dialer, ports, password, path, bytesMax, connectionsMax, connectTimeoutMs } = needs;
  const addresses = new Map<string, string>();
  const faults = new Map<string, string>();
  const share = new Share(bytesMax);
  const closing = new AbortController();
  let connections = 0;

  const connect = async (host: string, port: number): Promise<Connection> => {
    const servedAt = port === 80 ? ports.http : port === 443 ? ports.https : undefined;
    try {
      connections += 1;
      if (connections > connectionsMax) throw new Problem('limit-exceeded', 'the page connects too often');
      if (servedAt === undefined)
        throw new Problem('invalid-parameters', `port ${port} is not one of http or https`);
      const request = { host, port: servedAt, timeoutMs: connectTimeoutMs, signal: closing.signal };
      const connection = await dialer.connect(request);
      addresses.set(host, connection.address);
      share.take(connection.socket);
      return connection;
    } catch (error) {
      if (faults.size < connectionsMax) faults.set(host, (error as Error).message);
      throw error;
    }
  };

  const server = proxyServer(`${proxyUser}:${password}`, connect);
  if (path === undefined) server.listen(0, '127.0.0.1');
  else server.listen(path);
  await once(server, 'listening');
  const address = server.address() as AddressInfo | string;
  return {
    port: typeof address === 'string' ? undefined : address.port,
    findAddress: (host) => addresses.get(host),
    findFault: (host) => faults.get(host),
    get bytes() {
      return share.bytes;
    },
    close: async () => {
      closing.abort();
      share.end();
      await closeServer(server);
    },
  };
}

/** Tunnels are no longer the server's own, but end with the connections behind them. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/**
 * The only network access of one browser: an HTTP proxy on loopback, password-protected, open for the capture of one page. Each
 * connection goes through the SSRF guard (`guarded-dialer.ts`), is limited to the ports of HTTP and HTTPS, and counts against a
 * byte budget.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '../model/problem.ts';
import type { Connection, Dialer } from './guarded-dialer.ts';
import { ByteBudget } from './proxy/byte-budget.ts';
import { proxyServer } from './proxy/proxy-server.ts';
import { inThisRecording } from './request-recorder.ts';

export interface BrowserProxyNeeds {
  readonly dialer: Pick<Dialer, 'connect'>;
  /** Where HTTP and HTTPS servers listen. */
  readonly ports: { readonly http: number; readonly https: number };
  readonly password: string;
  /** Unix socket to listen on, for a browser in its own network namespace; undefined: a loopback port. */
  readonly path?: string | undefined;
  /** Sent and received together. */
  readonly bytesMax: number;
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
}

export interface BrowserProxy {
  /** Undefined where the proxy listens on a Unix socket. */
  readonly port: number | undefined;
  /** The address that the last connection to the host went to. */
  findAddress(host: string): string | undefined;
  /** Why the last connection to the host failed. */
  findError(host: string): string | undefined;
  readonly bytes: number;
  close(): Promise<void>;
}

export const proxyUser = 'browser';

export async function openBrowserProxy(needs: BrowserProxyNeeds): Promise<BrowserProxy> {
  const { dialer, ports, password, path, bytesMax, connectionsMax, connectTimeoutMs } = needs;
  const addresses = new Map<string, string>();
  const errors = new Map<string, string>();
  const budget = new ByteBudget(bytesMax);
  const closing = new AbortController();
  let connections = 0;

  const connect = async (host: string, port: number): Promise<Connection> => {
    const servedAt = port === 80 ? ports.http : port === 443 ? ports.https : undefined;
    try {
      connections += 1;
      if (connections > connectionsMax)
        throw new Problem('limit-exceeded', 'the page opens too many connections');
      if (servedAt === undefined)
        throw new Problem('invalid-parameters', `port ${port} is not a port of http or https`);
      const request = { host, port: servedAt, timeoutMs: connectTimeoutMs, signal: closing.signal };
      const connection = await dialer.connect(request);
      addresses.set(host, connection.address);
      budget.track(connection.socket);
      return connection;
    } catch (error) {
      if (errors.size < connectionsMax) errors.set(host, (error as Error).message);
      throw error;
    }
  };

  const server = proxyServer(`${proxyUser}:${password}`, inThisRecording(connect));
  if (path === undefined) server.listen(0, '127.0.0.1');
  else server.listen(path);
  await once(server, 'listening');
  const address = server.address() as AddressInfo | string;
  return {
    port: typeof address === 'string' ? undefined : address.port,
    findAddress: (host) => addresses.get(host),
    findError: (host) => errors.get(host),
    get bytes() {
      return budget.bytes;
    },
    close: async () => {
      closing.abort();
      budget.end();
      await closeServer(server);
    },
  };
}

/** Tunnels are detached from the HTTP server; they end when the byte budget destroys their upstream sockets. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

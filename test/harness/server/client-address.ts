/**
 * Where clients of a test server connect: to the server itself, or to a reverse proxy in front of all test servers. `TEST_PROXY=127.0.0.2:20000-20599`
 * says where that one listens; what reaches it at a port it passes on to 127.0.0.1 and the same port.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

interface ProxyPorts {
  readonly host: string;
  readonly first: number;
  readonly last: number;
}

/** In front of the test servers of this process, if any. */
export const testProxy = proxyPorts(process.env['TEST_PROXY']);

function proxyPorts(text: string | undefined): ProxyPorts | undefined {
  if (!text) return undefined;
  const [, host, first, last] = /^([\d.]+):(\d+)-(\d+)$/.exec(text) ?? [];
  if (!host) throw new Error(`TEST_PROXY is ${text}, and not ADDRESS:FIRST-LAST`);
  return { host, first: Number(first), last: Number(last) };
}

/** `test(title, { skip: behindProxy('why it cannot hold there') }, …)` */
export function behindProxy(reason: string): string | false {
  return testProxy ? reason : false;
}

const whatProxiesLack = {
  aborts: 'this version of the proxy lets an answer that broke off pass for complete',
  trailers: 'this version of the proxy does not pass trailers on',
} as const;

/** The same for a proxy that lacks something: `TEST_PROXY_LACKS=trailers`. */
export function behindProxyWithout(feature: keyof typeof whatProxiesLack): string | false {
  return process.env['TEST_PROXY_LACKS'] === feature && whatProxiesLack[feature];
}

/** A reason. */
export const refusedByProxies = 'proxies themselves refuse a path that cannot be decoded';

export interface ClientAddress {
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

/** The server listens from now on. */
export async function clientAddress(app: FastifyInstance): Promise<ClientAddress> {
  if (!app.server.listening) await (listening.get(app) ?? startListening(app));
  return addressOfListening(app);
}

export function addressOfListening(app: FastifyInstance): ClientAddress {
  const { port } = app.server.address() as AddressInfo;
  const host = testProxy?.host ?? '127.0.0.1';
  return { host, port, url: `http://${host}:${port}` };
}

/** Requests are made at the same time, and the first of them makes the server listen. */
const listening = new WeakMap<FastifyInstance, Promise<unknown>>();

function startListening(app: FastifyInstance): Promise<unknown> {
  const started = testProxy ? listenInRange(app, testProxy) : listen(app, 0);
  listening.set(app, started);
  return started;
}

const listen = (app: FastifyInstance, port: number) => app.listen({ host: '127.0.0.1', port });

async function listenInRange(app: FastifyInstance, { first, last }: ProxyPorts): Promise<void> {
  const count = last - first + 1;
  const start = Math.floor(Math.random() * count);
  for (let tried = 0; tried < count; tried += 1) {
    try {
      await listen(app, first + ((start + tried) % count));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`all ports that the proxy passes on are taken: ${first}-${last}`);
}

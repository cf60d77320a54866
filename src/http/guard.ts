/** Checks and headers common to all requests. These hooks run on every path, so they use no promises. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../model/problem.ts';
import type { Settings } from '../model/settings/settings.ts';
import { findQueryFault } from './query-string.ts';
import { keepContentType } from './raw-body.ts';

/** For responses that are data: nothing in them may execute, be framed, or be read by another origin. */
const dataHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

export type SetHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

export function securityHeaders({ http }: Pick<Settings, 'http'>): Readonly<Record<string, string>> {
  const overTls = http.publicUrl.startsWith('https:');
  return { ...dataHeaders, ...(overTls ? { 'strict-transport-security': 'max-age=31536000' } : {}) };
}

export function responseHeaders(settings: Pick<Settings, 'http'>): SetHeaders {
  const headers = securityHeaders(settings);
  return (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
  };
}

/** A graceful stop: responses in progress announce that their connection closes, connections without a request are closed. */
export function guard(app: FastifyInstance, setHeaders: SetHeaders, { http }: Pick<Settings, 'http'>): void {
  const lastResponse = new WeakMap<Socket, ServerResponse>();
  app.addHook('onRequest', (request, reply, done) => {
    lastResponse.set(request.raw.socket, reply.raw);
    setHeaders(request, reply);
    keepContentType(request);
    done(findRequestFault(request.originalUrl, request.raw.rawHeaders));
  });
  const connections = limitConnections(app, http);
  app.addHook('preClose', async () => {
    for (const socket of connections()) {
      const response = lastResponse.get(socket);
      if (response) response.shouldKeepAlive = false;
      else if (socket.bytesRead === 0) socket.destroy();
    }
  });
}

/** Of any request, whatever its path. */
export function findRequestFault(url: string, rawHeaders: readonly string[]): Problem | undefined {
  if (!url.startsWith('/')) {
    return new Problem('malformed-request', 'The request line must have a path, not an absolute URI.');
  }
  if (url.includes('#')) {
    return new Problem('malformed-request', 'A request URL must not have a fragment; encode # as %23.');
  }
  if (hostHeaders(rawHeaders) !== 1) {
    return new Problem('malformed-request', 'The request must have exactly one Host header.');
  }
  return findQueryFault(url);
}

function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Limits connections in total and per address; those over the limit are closed unread. Returns a list of the open ones. */
function limitConnections(app: FastifyInstance, http: Settings['http']): () => Socket[] {
  app.server.maxConnections = http.connectionsMax;
  const open = new Map<string, Set<Socket>>();
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const sockets = open.get(address) ?? new Set();
    if (sockets.size >= http.connectionsPerAddressMax) {
      socket.destroy();
      return;
    }
    open.set(address, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) open.delete(address);
    });
  });
  return () => [...open.values()].flatMap((sockets) => [...sockets]);
}

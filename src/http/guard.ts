/** What every request meets first, and the headers that every answer carries. Hooks here are on every path: no promises. */
import type { Server } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../model/problem.ts';
import type { Settings } from '../model/settings.ts';

/** For answers that are data: nothing in them may run, be framed, or be read by another origin. */
const dataHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function guard(app: FastifyInstance, { http }: Pick<Settings, 'http'>): void {
  const overTls = http.publicUrl.startsWith('https:');
  const headers = { ...dataHeaders, ...(overTls ? { 'strict-transport-security': 'max-age=31536000' } : {}) };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done(faultOf(request));
  });
  limitConnections(app.server, http);
}

function faultOf(request: FastifyRequest): Problem | undefined {
  if (!request.originalUrl.startsWith('/')) {
    return new Problem('malformed-request', 'The request line must hold a path, not an absolute URI.');
  }
  if (hostHeaders(request.raw.rawHeaders) !== 1) {
    return new Problem('malformed-request', 'The request must have one Host header.');
  }
  return undefined;
}

function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** One address cannot take all connections; what exceeds its share is closed unread. */
function limitConnections(server: Server, http: Settings['http']): void {
  server.maxConnections = http.connectionsMax;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    if (count > http.connectionsPerAddressMax) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

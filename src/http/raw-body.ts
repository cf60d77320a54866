/**
 * Bodies arrive as bytes, whatever their content type says: who is asking is decided before a body is judged, one API
 * takes JSON under any content type, and a signature must see what was sent.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

export function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
}

/** Must run before Fastify looks at the content type, which it refuses when it is malformed. */
export function keepContentType(request: FastifyRequest): void {
  const contentType = request.headers['content-type'];
  if (contentType === undefined) return;
  request.sentContentType = contentType;
  delete request.headers['content-type'];
}

export const noBytes: Buffer = Buffer.alloc(0);

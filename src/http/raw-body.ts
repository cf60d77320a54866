/**
 * Bodies arrive as bytes, whatever their content type says: the caller is authenticated before a body is parsed, one API
 * accepts JSON under any content type, and a signature covers the bytes as sent.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

export function acceptRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
}

/** Must run before Fastify reads the content type, because it rejects a malformed one. */
export function keepContentType(request: FastifyRequest): void {
  const contentType = request.headers['content-type'];
  if (contentType === undefined) return;
  request.sentContentType = contentType;
  delete request.headers['content-type'];
}

export const emptyBody: Buffer = Buffer.alloc(0);

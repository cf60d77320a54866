/**
 * Bodies arrive as bytes, whatever their content type says: who is asking is decided before a body is judged, one API
 * takes JSON under any content type, and a signature must see what was sent.
 */
import type { FastifyInstance } from 'fastify';

export function takeRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  scope.addHook('onRequest', (request, _reply, done) => {
    const contentType = request.headers['content-type'];
    if (contentType !== undefined) {
      request.sentContentType = contentType;
      delete request.headers['content-type'];
    }
    done();
  });
}

export const noBytes: Buffer = Buffer.alloc(0);

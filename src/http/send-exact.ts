/**
 * Sends a body with exactly this content type: Fastify would add a charset. It is sent without Fastify's steps between `send` and the
 * socket, none of which are needed, because every answer of an API comes through here. Not for routes with a hook `onSend`.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

export function sendExact(reply: FastifyReply, contentType: string, body: string | Buffer): FastifyReply {
  const { raw } = reply;
  const headers = reply.getHeaders() as OutgoingHttpHeaders;
  headers['content-type'] = contentType;
  // Of a response to HEAD, the route may have set it.
  headers['content-length'] ??= typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  reply.hijack();
  raw.writeHead(raw.statusCode, headers);
  raw.end(reply.request.method === 'HEAD' ? undefined : body);
  return reply;
}

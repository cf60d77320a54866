/** Sends a body with exactly this content type. The identity serializer keeps Fastify from adding a charset. */
import type { FastifyReply } from 'fastify';

const identity = (text: string) => text;

export function sendExact(reply: FastifyReply, contentType: string, body: string | Buffer): FastifyReply {
  return reply.serializer(identity).header('content-type', contentType).send(body);
}

/** Answers with a content type as the contracts write it. A serializer of our own keeps Fastify from adding a charset. */
import type { FastifyReply } from 'fastify';

const asIs = (text: string) => text;

export function sendExact(reply: FastifyReply, contentType: string, body: string | Buffer): FastifyReply {
  return reply.serializer(asIs).header('content-type', contentType).send(body);
}

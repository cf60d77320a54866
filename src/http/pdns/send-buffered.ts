import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressOnce, type KeptBody, wantsGzip } from '../compression.ts';
import { sendExact } from '../send-exact.ts';
import type { MediaType } from './media-type.ts';

export interface BufferedResponse extends KeptBody {
  readonly contentType: MediaType;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends a complete response with its length, compressed when the client accepts that and it is worth it. What it returns, if
 * anything, resolves when the text is compressed.
 */
export function sendBuffered(
  request: FastifyRequest,
  reply: FastifyReply,
  response: BufferedResponse,
): Promise<void> | undefined {
  const { contentType, body, headers } = response;
  if (headers) reply.headers(headers);
  if (!wantsGzip(request.headers['accept-encoding'], body)) {
    sendExact(reply, contentType, body);
    return undefined;
  }
  const send = (compressed: Buffer) =>
    void sendExact(reply.header('content-encoding', 'gzip'), contentType, compressed);
  const compressed = compressOnce(response);
  return compressed instanceof Promise ? compressed.then(send) : send(compressed);
}

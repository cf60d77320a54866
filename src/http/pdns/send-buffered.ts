import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, wantsGzip } from '../compression.ts';
import { sendExact } from '../send-exact.ts';
import type { MediaType } from './media-type.ts';

export interface BufferedResponse {
  readonly contentType: MediaType;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends a complete response with its length, compressed when the client accepts that and it is worth it. What it returns, if
 * anything, resolves when the text is compressed.
 */
export function sendBuffered(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, text, headers }: BufferedResponse,
): Promise<void> | undefined {
  if (headers) reply.headers(headers);
  if (!wantsGzip(request.headers['accept-encoding'], text)) {
    sendExact(reply, contentType, text);
    return undefined;
  }
  return compress(text).then((compressed) => {
    reply.header('content-type', contentType).header('content-encoding', 'gzip').send(compressed);
  });
}

/**
 * A download as a client may resume it: the whole, or the bytes that a `Range` header asks for. Packed with gzip it has
 * neither a length nor ranges, for what would be counted is not what is kept.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readByteRange } from './byte-range.ts';
import { asksForGzip } from './compression.ts';
import { sendPieces } from './outflow.ts';
import type { LogRequest } from './request-log.ts';

/** What is sent; closed when that is over, however it went. */
export interface Content {
  readonly bytes: number;
  /** From the first byte, counted from 0, up to but not including the other. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  /** As `Outflow.ahead`. */
  readonly ahead?: boolean;
  close(): Promise<void>;
}

export interface Download {
  readonly contentType: string;
  /** Letters, digits, dots and hyphens. */
  readonly fileName: string;
  /** With its quotes. It names these very bytes: what is resumed with another one starts from the beginning. */
  readonly etag: string;
  /** Whether it may be packed for a client that asks; what is packed already should not be. */
  readonly gzip: boolean;
  readonly stalledSeconds: number;
  readonly logAbandoned: LogRequest;
}

export async function sendRange(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
  download: Download,
): Promise<FastifyReply> {
  try {
    const gzip = download.gzip && asksForGzip(request.headers['accept-encoding']);
    const part = gzip ? 'whole' : readByteRange(rangeOf(request, download.etag), content.bytes);
    if (part === 'unsatisfiable') {
      return await reply.code(416).header('content-range', `bytes */${content.bytes}`).send();
    }
    const { from, to } = part === 'whole' ? { from: 0, to: content.bytes } : part;
    const status = part === 'whole' ? 200 : 206;
    const headers = {
      'content-type': download.contentType,
      'content-disposition': `attachment; filename="${download.fileName}"`,
      ...(gzip ? {} : { 'content-length': String(to - from), 'accept-ranges': 'bytes', etag: download.etag }),
      ...(part === 'whole' ? {} : { 'content-range': `bytes ${from}-${to - 1}/${content.bytes}` }),
    };
    if (request.method === 'HEAD') {
      const packed = gzip ? { 'content-encoding': 'gzip' } : {};
      return await reply
        .code(status)
        .headers({ ...headers, ...packed, vary: 'accept-encoding' })
        .send();
    }
    const { stalledSeconds, logAbandoned } = download;
    const ahead = content.ahead ?? false;
    const outflow = { status, headers, gzip, ahead, stalledSeconds, logAbandoned };
    await sendPieces(request, reply, outflow, content.read(from, to));
    return reply;
  } finally {
    await content.close();
  }
}

/** The range that is asked for, unless only for the case that nothing has changed, and something has. */
function rangeOf({ headers }: FastifyRequest, etag: string): string | undefined {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag ? headers.range : undefined;
}

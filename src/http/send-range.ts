/**
 * A resumable download: the whole content, or the bytes of a `Range` header. Compressed with gzip it has neither a length nor
 * ranges, because those would refer to the compressed bytes.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readByteRange } from './byte-range.ts';
import { acceptsGzip } from './compression.ts';
import type { LogRequest } from './request-log.ts';
import { sendChunks } from './send-chunks.ts';

/** The content to send; closed in every case. */
export interface Content {
  readonly bytes: number;
  /** `from` inclusive, `to` exclusive. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  /** As `ChunkOptions.readAhead`. */
  readonly readAhead?: boolean;
  close(): Promise<void>;
}

export interface Download {
  readonly contentType: string;
  /** Letters, digits, dots and hyphens. */
  readonly fileName: string;
  /** With its quotes. A strong validator: a download resumed with another etag starts from the beginning. */
  readonly etag: string;
  /** Whether it may be compressed; false for content that already is. */
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
    const gzip = download.gzip && acceptsGzip(request.headers['accept-encoding']);
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
      const encoding = gzip ? { 'content-encoding': 'gzip' } : {};
      return await reply
        .code(status)
        .headers({ ...headers, ...encoding, vary: 'accept-encoding' })
        .send();
    }
    const { stalledSeconds, logAbandoned } = download;
    const readAhead = content.readAhead ?? false;
    const startsWithChunk = true;
    const options = { status, headers, gzip, readAhead, startsWithChunk, stalledSeconds, logAbandoned };
    await sendChunks(request, reply, options, content.read(from, to));
    return reply;
  } finally {
    await content.close();
  }
}

/** The `Range` header, unless `If-Range` names another version of the content. */
function rangeOf({ headers }: FastifyRequest, etag: string): string | undefined {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag ? headers.range : undefined;
}

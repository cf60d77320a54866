/** Sends the data of a channel span to a client, whether requested by key or by link. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../model/settings/settings.ts';
import { type ChannelSpan, getChannelData } from '../../product/batch/channel-data.ts';
import { rangeName } from '../../product/batch/range-name.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { LogRequest } from '../request-log.ts';
import { sendRange } from '../send-range.ts';

export interface DownloadNeeds {
  readonly streams: Pick<StreamStore, 'offsetAt' | 'openRange'>;
  readonly settings: Pick<Settings, 'batch'>;
  readonly logAbandoned: LogRequest;
}

const extensions: Readonly<Record<string, string>> = {
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
  'text/csv': 'csv',
  'text/plain': 'txt',
};

export interface SpanDownload {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly span: ChannelSpan;
  readonly mimetype: string;
}

export async function sendSpan(
  { request, reply, span, mimetype }: SpanDownload,
  { streams, settings, logAbandoned }: DownloadNeeds,
): Promise<FastifyReply> {
  const data = await getChannelData(span, { streams });
  const content = {
    bytes: data.to - data.from,
    read: (from: number, to: number) => data.read(data.from + from, data.from + to),
    readAhead: true,
    close: () => data.close(),
  };
  return sendRange(request, reply, content, {
    contentType: mimetype,
    fileName: `${rangeName(span).replace('/', '.')}.${extensions[mimetype] ?? 'dat'}`,
    // A byte range of a stream never changes. If pruning or appends change what is stored of the span, the offsets differ.
    etag: `"${span.channel}-${data.from}-${data.to}"`,
    gzip: true,
    stalledSeconds: settings.batch.stalledSeconds,
    logAbandoned,
  });
}

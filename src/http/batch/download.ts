/** The data of a span on its way to a client, by key or by link alike. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../model/settings.ts';
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

export async function sendSpan(
  request: FastifyRequest,
  reply: FastifyReply,
  span: ChannelSpan,
  mimetype: string,
  { streams, settings, logAbandoned }: DownloadNeeds,
): Promise<FastifyReply> {
  const data = await getChannelData(span, { streams });
  const content = {
    bytes: data.to - data.from,
    read: (from: number, to: number) => data.read(data.from + from, data.from + to),
    ahead: true,
    close: () => data.close(),
  };
  return sendRange(request, reply, content, {
    contentType: mimetype,
    fileName: `${rangeName(span).replace('/', '.')}.${extensions[mimetype] ?? 'dat'}`,
    // A stretch of a stream never changes. Another one that is kept of the same span, more or less of it, is another text.
    etag: `"${span.channel}-${data.from}-${data.to}"`,
    gzip: true,
    stalledSeconds: settings.batch.stalledSeconds,
    logAbandoned,
  });
}

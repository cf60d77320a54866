/** Downloads files of archives under `/files` by signed link. */
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import {
  checksumSuffix,
  checksumText,
  listedChecksum,
  listedFile,
} from '../../product/download/list-files.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import { setDialect } from '../dialect.ts';
import { linkDialect } from '../links/link-dialect.ts';
import type { LogRequest } from '../request-log.ts';
import { type Content, type Download, sendRange } from '../send-range.ts';
import type { FileLinks } from './file-links.ts';

export interface FileScopeNeeds {
  readonly archives: Pick<ArchiveStore, 'findFile' | 'openFile'>;
  readonly links: FileLinks;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'feeds'>;
  readonly logAbandoned: LogRequest;
}

const fileSchema = {
  templates: [
    {
      path: '{archive}/{date}/{file}',
      operationId: 'getFile',
      params: {
        archive: Type.String({ description: 'the name of a feed or of a daily archive' }),
        date: Type.String({ description: 'YYYY-MM-DD' }),
        file: Type.String({ description: 'the name of the file' }),
      },
    },
  ],
  tags: ['Feeds'],
  summary: 'Downloads a file of an archive by its link',
  description:
    'The link is in the answer of getFeedDownload; it needs no key and expires. Range requests resume a download.',
  security: [],
  querystring: Type.Object({ Expires: Type.String(), Signature: Type.String() }),
  produces: ['application/gzip', 'text/plain'],
  response: { 200: Type.Any({ description: 'the file' }) },
};

export function fileScope(needs: FileScopeNeeds) {
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const name = needs.links.getTarget(request.originalUrl, needs.clock.now());
    const found = name.endsWith(checksumSuffix)
      ? await findChecksum(name.slice(0, -checksumSuffix.length), needs)
      : await findFile(name, needs);
    if (!found) throw new Problem('not-found', 'There is no such file, or it is no longer stored.');
    return sendRange(request, reply, found.content, {
      ...found.download,
      fileName: basename(name),
      gzip: false,
      stalledSeconds: needs.settings.feeds.stalledSeconds,
      logAbandoned: needs.logAbandoned,
    });
  };

  return async (scope: FastifyInstance) => {
    setDialect(scope, linkDialect);
    scope.setValidatorCompiler(() => () => true);
    const config = { access: 'open', operation: 'getFile', scope: 'files' } as const;
    scope.route({ method: 'GET', url: '/*', config, schema: fileSchema, handler: send });
    scope.route({ method: 'HEAD', url: '/*', config, schema: { hide: true }, handler: send });
    // A truncated link is an altered link.
    scope.route({ method: ['GET', 'HEAD'], url: '', config, schema: { hide: true }, handler: send });
  };
}

interface Found {
  readonly content: Content;
  readonly download: Pick<Download, 'contentType' | 'etag'>;
}

async function findFile(name: string, { archives }: FileScopeNeeds): Promise<Found | undefined> {
  const open = await archives.openFile(name);
  if (!open) return undefined;
  const { bytes, etag } = listedFile(open.file);
  return {
    content: { bytes, read: (from, to) => open.read(from, to), close: () => open.close() },
    download: { contentType: 'application/gzip', etag },
  };
}

async function findChecksum(name: string, { archives }: FileScopeNeeds): Promise<Found | undefined> {
  const file = await archives.findFile(name);
  if (!file) return undefined;
  const { bytes, etag } = listedChecksum(file);
  const text = Buffer.from(checksumText(file));
  return {
    content: {
      bytes,
      read: (from, to) => Readable.from([text.subarray(from, to)]),
      close: async () => undefined,
    },
    download: { contentType: 'text/plain; charset=utf-8', etag },
  };
}

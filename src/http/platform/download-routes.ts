/** The files of a feed's archive, each with a link that needs no other credentials. */
import { type Static, Type } from 'typebox';
import type { Settings } from '../../model/settings.ts';
import { listFiles, type OfferedFile } from '../../product/download/list-files.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import type { FileLinks } from '../files/file-links.ts';
import type { Offer } from './offer.ts';

const filesMax = 1000;

const FileOnWire = Type.Object({
  name: Type.String(),
  last_modified: Type.String(),
  etag: Type.String(),
  size: Type.String({ description: 'bytes' }),
  url: Type.String({ description: 'opens the file for a while, without credentials' }),
});

export interface DownloadNeeds {
  readonly archives: Pick<ArchiveStore, 'listFiles'>;
  readonly fileLinks: FileLinks;
  readonly settings: Pick<Settings, 'feeds'>;
}

export function downloadRoutes(offer: Offer, { archives, fileLinks, settings }: DownloadNeeds): void {
  const lifetimeSeconds = settings.feeds.urlLifetimeHours * 3600;
  offer('getFeedDownload', {
    parameters: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: filesMax, default: filesMax, description: 'files on a page' }),
      ),
      page: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'counted from 0' })),
      prefix: Type.Optional(
        Type.String({ default: '', description: 'beginning of the date, as 2026-08- or nod/2026-08-' }),
      ),
    }),
    answer: Type.Object({
      response: Type.Object({ download_name: Type.String(), files: Type.Array(FileOnWire) }),
    }),
    run: async ({ parameters, request, nowMs }) => {
      const { feed: archive = '' } = request.params as { feed?: string };
      const { limit = filesMax, page = 0, prefix = '' } = parameters;
      const files = await listFiles({ archive, prefix, limit, page }, archives);
      const onWireNow = (file: OfferedFile) =>
        onWire(file, fileLinks.make(file.name, nowMs, lifetimeSeconds));
      return { response: { download_name: archive, files: files.map(onWireNow) } };
    },
  });
}

function onWire({ name, bytes, etag, modifiedMs }: OfferedFile, url: string): Static<typeof FileOnWire> {
  const seconds = new Date(modifiedMs).toISOString().slice(0, 19);
  return { name, last_modified: `${seconds}+00:00`, etag, size: String(bytes), url };
}

/** The files of a feed's archive, each with a signed link that needs no other credentials. */

import { type Static, Type } from 'typebox';
import { dailyArchives } from '../../../model/archive-names.ts';
import { hourSeconds } from '../../../model/durations.ts';
import { type FeedName, feedProducts, type ProductId } from '../../../model/product-catalogue.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { type ListedFile, listFiles } from '../../../product/download/list-files.ts';
import type { ArchiveStore } from '../../../store/archive-store.ts';
import type { FileLinks } from '../../files/file-links.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';

const filesMax = 1000;

const FileOnWire = Type.Object({
  name: Type.String(),
  last_modified: Type.String(),
  etag: Type.String(),
  size: Type.String({ description: 'bytes' }),
  url: Type.String({ description: 'downloads the file without credentials until it expires' }),
});

export interface DownloadNeeds {
  readonly archives: Pick<ArchiveStore, 'listFiles'>;
  readonly fileLinks: FileLinks;
  readonly settings: Pick<Settings, 'feeds'>;
}

export function downloadOperations({ archives, fileLinks, settings }: DownloadNeeds): readonly Operation[] {
  const lifetimeSeconds = settings.feeds.urlLifetimeHours * hourSeconds;
  const getFeedDownload = defineOperation({
    id: 'getFeedDownload',
    family: families.download,
    route: 'GET /download/:feed/',
    product: findDownloadProduct,
    permission: 'read',
    summary: 'Lists the files of a feed archive',
    description: 'Newest first, each with a link that needs no key. The next page is requested with `page`.',
    parameters: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: filesMax, default: filesMax, description: 'files per page' }),
      ),
      page: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'counted from 0' })),
      prefix: Type.Optional(
        Type.String({ default: '', description: 'prefix of the date, such as 2026-08- or nod/2026-08-' }),
      ),
    }),
    response: Type.Object({
      response: Type.Object({ download_name: Type.String(), files: Type.Array(FileOnWire) }),
    }),
    handle: async ({ parameters, request, nowMs }) => {
      const { feed: archive = '' } = request.params as { feed?: string };
      const { limit = filesMax, page = 0, prefix = '' } = parameters;
      const files = await listFiles({ archive, prefix, limit, page }, archives);
      const linked = files.map((file) => onWire(file, fileLinks.make(file.name, { nowMs, lifetimeSeconds })));
      return { response: { download_name: archive, files: linked } };
    },
  });
  return [getFeedDownload];
}

/** Some feeds have a second archive under a name of its own. */
function findDownloadProduct({ feed = '' }: Readonly<Record<string, string>>): ProductId | undefined {
  const name = Object.hasOwn(dailyArchives, feed) ? dailyArchives[feed] : feed;
  return name && Object.hasOwn(feedProducts, name) ? `${feedProducts[name as FeedName]}-(s3)` : undefined;
}

function onWire({ name, bytes, etag, modifiedMs }: ListedFile, url: string): Static<typeof FileOnWire> {
  const seconds = new Date(modifiedMs).toISOString().slice(0, 19);
  return { name, last_modified: `${seconds}+00:00`, etag, size: String(bytes), url };
}

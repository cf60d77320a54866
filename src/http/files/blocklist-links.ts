/**
 * Links to the blocklists of an account: `/blocklists/<account>/<edition>/<file>?Signature=<text>`. Resolvers fetch them for as long
 * as they run, so they do not expire; a new edition ends all earlier ones. A link is good only as the very text that was made.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import {
  type BlocklistFormatName,
  blocklistFormatNames,
  blocklistFormats,
} from '../../model/detect/blocklist/format.ts';
import { Problem } from '../../model/problem.ts';
import { split } from '../address.ts';

export const blocklistsPrefix = '/blocklists';

export interface BlocklistTarget {
  readonly accountId: string;
  readonly edition: number;
  readonly format: BlocklistFormatName;
}

export interface BlocklistLinks {
  make(target: BlocklistTarget): string;
  /** What a link opens, by the URL as it was sent. */
  getTarget(originalUrl: string): BlocklistTarget;
}

const queryForm = /^\?Signature=([A-Za-z0-9_-]{43})$/;

/** `blocklistUrl` tells scheme and host as clients reach them. The Host header of a request says nothing of them. */
export function blocklistLinks(
  blocklistUrl: () => string,
  mountPrefix: string,
  linkKey: Buffer,
): BlocklistLinks {
  const before = `${mountPrefix}${blocklistsPrefix}/`;
  const key = Buffer.from(hkdfSync('sha256', linkKey, '', 'nameglass blocklist links', 32));
  const sign = (path: string) =>
    createHmac('sha256', key)
      .update(['GET', new URL(blocklistUrl()).host, path].join('\n'))
      .digest('base64url');
  return {
    make({ accountId, edition, format }) {
      const path = `${before}${accountId}/${edition}/${blocklistFormats[format].fileName}`;
      return `${blocklistUrl()}${path}?Signature=${sign(path)}`;
    },
    getTarget(originalUrl) {
      const { path, query } = split(originalUrl);
      const [, signature = ''] = queryForm.exec(query) ?? [];
      // As text: several spellings of base64 are the same bytes.
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(path))];
      const [accountId = '', edition, file] = path.slice(before.length).split('/');
      const format = blocklistFormatNames.find((name) => blocklistFormats[name].fileName === file);
      if (given.length !== expected.length || !timingSafeEqual(given, expected) || !format) {
        throw new Problem(
          'credentials-invalid',
          'The signature does not match the URL. Use the link as it was listed.',
        );
      }
      return { accountId, edition: Number(edition), format };
    },
  };
}

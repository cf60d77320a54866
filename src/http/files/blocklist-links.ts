/**
 * Links to the blocklists of an account: `/blocklists/<account>/<edition>/<file>?Signature=<text>`. Resolvers fetch them for years,
 * so they do not expire; a new edition revokes all earlier links.
 */
import {
  type BlocklistFormatName,
  blocklistFileName,
  blocklistFormatNames,
  blocklistFormats,
} from '../../model/detect/blocklist/format.ts';
import { permanentSignature } from '../links/signature-schemes.ts';
import type { LinkKind, SignedLinks } from '../links/signed-links.ts';

export interface BlocklistTarget {
  readonly accountId: string;
  readonly edition: number;
  readonly selection: string;
  readonly format: BlocklistFormatName;
}

export type BlocklistLinks = SignedLinks<BlocklistTarget, void>;

export const blocklistLinks: LinkKind<BlocklistTarget, void> = {
  prefix: '/blocklists',
  scheme: (linkKey) => permanentSignature(linkKey, 'blocklist links'),
  write: ({ accountId, edition, selection, format }) => ({
    path: `/${accountId}/${edition}/${blocklistFileName(selection, format)}`,
  }),
  read: (path) => {
    const [, accountId = '', edition, file = ''] = path.split('/');
    const [selection = '', ...extensions] = file.split('.');
    const extension = extensions.join('.');
    const format = blocklistFormatNames.find((name) => blocklistFormats[name].extension === extension);
    return format && { accountId, edition: Number(edition), selection, format };
  },
};

/** Links to files of archives: `/files/<name>?Expires=<epoch seconds>&Signature=<text>`. */
import { expiringSignature } from '../links/signature-schemes.ts';
import type { Lifetime, LinkKind, SignedLinks } from '../links/signed-links.ts';

export type FileLinks = SignedLinks<string>;

export const fileLinks: LinkKind<string, Lifetime> = {
  prefix: '/files',
  scheme: (linkKey) => expiringSignature(linkKey, 'file links'),
  write: (name) => ({ path: `/${name}` }),
  read: (path) => path.slice(1) || undefined,
  expiredMessage: 'The link has expired. List the files again for a new one.',
};

/** Links to time ranges of channels: `/range/<channel>/<from>.<to>`, presigned as object stores do it. */
import type { ChannelSpan } from '../../product/batch/channel-data.ts';
import { findSpan, rangeName } from '../../product/batch/range-name.ts';
import { presignedSignature } from '../links/signature-schemes.ts';
import type { Lifetime, LinkKind, SignedLinks } from '../links/signed-links.ts';

export type RangeLinks = SignedLinks<ChannelSpan>;

export const rangeLinks: LinkKind<ChannelSpan, Lifetime> = {
  prefix: '/range',
  scheme: (linkKey) => presignedSignature(linkKey, 'range links'),
  write: (span) => ({ path: `/${rangeName(span)}` }),
  read: (path) => findSpan(path.slice(1)),
  expiredMessage: 'Authentication is unable: the URL has expired. Create a new one.',
};

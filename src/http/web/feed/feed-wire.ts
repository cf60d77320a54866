/** Feeds, their sessions and archives, and channels, on the wire. */
import { type Static, Type } from 'typebox';
import { feedNames } from '../../../model/feed/feed.ts';
import { NullableText, oneOf } from '../wire-values.ts';

const content = {
  lines: Type.Integer(),
  bytes: Type.Integer(),
  oldest: NullableText,
  newest: NullableText,
  lines_last_hour: Type.Integer(),
};

export const FeedView = Type.Object({
  feed: oneOf(feedNames),
  provisioned: Type.Boolean({ description: 'The account may poll it.' }),
  archives: Type.Boolean({ description: 'The account may download its archives.' }),
  ...content,
  sessions: Type.Array(
    Type.Object({
      session: Type.String({ description: 'Of the choice of its client.' }),
      used: Type.String(),
      behind_bytes: Type.Integer(),
      behind_lines: Type.Integer({ description: 'At most.' }),
    }),
  ),
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer(), at: Type.String() })),
});
export type FeedView = Static<typeof FeedView>;

export const FeedsView = Type.Object({
  retention_days: Type.Integer(),
  archive_days: Type.Integer(),
  feeds: Type.Array(FeedView),
  channels: Type.Array(
    Type.Object({
      number: Type.Integer(),
      description: Type.String(),
      mimetype: Type.String(),
      ...content,
    }),
  ),
});
export type FeedsView = Static<typeof FeedsView>;

/** What the channels hold that an account may read. */
import { type Caller, isWithdrawn } from '../../model/account/account.ts';
import { channelStream } from '../../model/stream-names.ts';
import { contentOf, type StreamContent } from '../../store/stream/stream-content.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { type ChannelDescription, channelsOf, type ProfileNeeds } from './profile.ts';

export interface DescribeChannelsNeeds extends ProfileNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'countLines' | 'offsetAt'>;
}

export interface DescribedChannel extends ChannelDescription, StreamContent {}

/** Those that a key of the account may be given. */
export async function describeChannels(
  caller: Caller,
  needs: DescribeChannelsNeeds,
  nowMs: number,
): Promise<readonly DescribedChannel[]> {
  if (isWithdrawn(caller.account, 'batch')) return [];
  const channels = await channelsOf({ ...caller, user: { ...caller.user, channels: 'all' } }, needs);
  return Promise.all(
    channels.map(async ({ number, description, mimetype }) => ({
      number,
      description,
      mimetype,
      ...(await contentOf(channelStream(number), needs, nowMs)),
    })),
  );
}

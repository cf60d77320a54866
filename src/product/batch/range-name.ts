/** The name of a channel span in a link: `ch213/20260128.1200.20260128.1201`. */
import { compactMinuteText, findCompactMinute } from '../../model/minute.ts';
import { channelStream } from '../../model/stream-names.ts';
import type { ChannelSpan } from './channel-data.ts';

export function rangeName({ channel, fromMinute, toMinute }: ChannelSpan): string {
  return `${channelStream(channel)}/${compactMinuteText(fromMinute)}.${compactMinuteText(toMinute)}`;
}

export function findSpan(name: string): ChannelSpan | undefined {
  const [, channel, from = '', to = ''] =
    /^ch([1-9]\d{0,2})\/(\d{8}\.\d{4})\.(\d{8}\.\d{4})$/.exec(name) ?? [];
  const [fromMinute, toMinute] = [findCompactMinute(from), findCompactMinute(to)];
  if (fromMinute === undefined || toMinute === undefined) return undefined;
  return { channel: Number(channel), fromMinute, toMinute };
}

/** The options for permissions and limits that `account create` and `account update` share. */
import { type Command, InvalidArgumentError } from 'commander';
import type { ChannelGrant } from '../../model/account/account.ts';
import { type Permission, permissions } from '../../model/account/permission.ts';
import { isProductId, type ProductId } from '../../model/product-catalogue.ts';
import {
  collect,
  orDefault,
  readInstant,
  readPermission,
  readPositive,
  readWhole,
} from '../argument-readers.ts';
import { type PdnsOptions, readAddressRange, readBurst, readOffsetMax, readQuota } from '../pdns-options.ts';

export interface UserOptions extends PdnsOptions {
  readonly permissions?: readonly Permission[];
  readonly channels?: readonly (number | 'all')[];
  readonly keyExpires?: number | 'never';
  readonly keyAllow?: readonly string[];
  readonly keyProducts?: readonly (ProductId | 'all')[];
}

export function withUserOptions(command: Command): Command {
  return command
    .option('--permissions <list...>', permissions.join(', '), collect(readPermission))
    .option(
      '--channels <list...>',
      'batch channels such as 204,212, or all that no other account owns',
      collect(readChannel),
    )
    .option(
      '--key-expires <time>',
      "when the user's keys stop working: epoch seconds, ISO 8601, or never",
      readExpiry,
    )
    .option(
      '--key-allow <list...>',
      "addresses or prefixes from which the user's keys work, or any",
      collect(readAddressRange),
    )
    .option(
      '--key-products <list...>',
      'products of the account that the API key may use, or all',
      collect(readProduct),
    )
    .option(
      '--pdns-quota <quota>',
      'unlimited, none, daily:N, hourly:N, monthly:N, 600s:N, block:N:EXPIRES',
      readQuota,
    )
    .option('--pdns-burst <size:seconds>', 'at most SIZE lookups within SECONDS, or none', readBurst)
    .option('--pdns-results-max <n>', 'maximum results per lookup, or default', orDefault(readPositive))
    .option('--pdns-offset-max <n>', 'maximum offset, n/a for no offsets, or default', readOffsetMax)
    .option(
      '--pdns-allow <list...>',
      'client addresses or prefixes that may use passive DNS, or any',
      collect(readAddressRange),
    )
    .option('--pdns-versions <list...>', 'API versions that the key may use', collect(readPositive));
}

function readExpiry(text: string): number | 'never' {
  return text === 'never' ? text : readInstant(text);
}

/** `any` among the addresses means from everywhere. */
export function keyAddressesOf(ranges: readonly string[] | undefined): readonly string[] | undefined {
  return ranges?.includes('any') ? [] : ranges;
}

/** Null: all of the account. */
export function keyProductsOf(given: UserOptions['keyProducts']): readonly ProductId[] | null | undefined {
  return given?.includes('all') ? null : given?.filter((product) => product !== 'all');
}

function readProduct(text: string): ProductId | 'all' {
  if (text === 'all' || isProductId(text)) return text;
  throw new InvalidArgumentError('Expected ids of products, as account provision takes them, or all.');
}

/** `all` among the channels means every configured channel that no other account owns. */
export function channelGrantOf(channels: readonly (number | 'all')[]): ChannelGrant {
  return channels.includes('all') ? 'all' : channels.filter((channel) => channel !== 'all');
}

function readChannel(text: string): number | 'all' {
  return text === 'all' ? text : readChannelNumber(text);
}

export function readChannelNumber(text: string): number {
  const channel = readWhole(text);
  if (channel < 1 || channel > 255) throw new InvalidArgumentError('Channels are numbered 1 to 255.');
  return channel;
}

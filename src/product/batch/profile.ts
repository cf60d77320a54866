/** Authenticates batch keys and lists the channels they may access. */
import { type Caller, isWithdrawn } from '../../model/account/account.ts';
import { isBatchKeyForm } from '../../model/account/api-key.ts';
import { findKeyRefusal } from '../../model/account/key-restrictions.ts';
import { permits } from '../../model/account/permission.ts';
import { isBuiltInChannel } from '../../model/built-in-channels.ts';
import type { Clock } from '../../model/clock.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { UsageStore } from '../../store/usage-store.ts';

export interface ProfileNeeds {
  readonly accounts: Pick<AccountStore, 'channelOwners'>;
  readonly settings: Pick<Settings, 'batch'>;
}

export interface KeyHolderNeeds {
  readonly accounts: Pick<AccountStore, 'findByBatchKey'>;
  readonly usage: Pick<UsageStore, 'noteRefusal'>;
  readonly clock: Clock;
}

export interface ChannelDescription {
  readonly number: number;
  readonly description: string;
  readonly mimetype: string;
}

/** The user of the key in a request body. */
export async function getKeyHolder(
  apikey: unknown,
  client: { readonly ip: string },
  needs: KeyHolderNeeds,
): Promise<Caller> {
  if (apikey === undefined) throw new Problem('credentials-missing', 'API key not present');
  if (typeof apikey !== 'string' || !isBatchKeyForm(apikey)) {
    throw fieldProblem('invalid-parameters', 'apikey', 'should be a string in UUID format');
  }
  const caller = await needs.accounts.findByBatchKey(apikey);
  if (!caller) throw unknownKey();
  const atMs = needs.clock.now();
  const why = findKeyRefusal(caller.user, client, atMs);
  if (why !== undefined) {
    needs.usage.noteRefusal(caller.user.id, { atMs, address: client.ip, why });
    throw unknownKey();
  }
  if (!caller.account.active) throw new Problem('not-provisioned', 'the account is not active');
  if (isWithdrawn(caller.account, 'batch'))
    throw new Problem('not-provisioned', 'the account is not provisioned for channels');
  if (!permits(caller.user.permissions, 'read'))
    throw new Problem('permission-denied', 'the user of this key may only append, not read');
  return caller;
}

function unknownKey(): Problem {
  return new Problem('credentials-invalid', 'API key is unknown or was revoked');
}

/**
 * The declared channels that the key may access, in order of number. A list that the operator gave is exact; otherwise channels of other
 * accounts are left out.
 */
export async function channelsOf(
  { user, account }: Caller,
  { accounts, settings }: ProfileNeeds,
): Promise<ChannelDescription[]> {
  const owners = user.channels === 'all' ? await accounts.channelOwners() : new Map<number, string>();
  const isOpen = (number: number) =>
    user.channels === 'all'
      ? isBuiltInChannel(number) || (owners.get(number) ?? account.name) === account.name
      : user.channels.includes(number);
  return Object.entries(settings.batch.channels)
    .map(([name, channel]) => ({ number: Number(name), ...channel }))
    .filter(({ number }) => isOpen(number))
    .sort((left, right) => left.number - right.number);
}

/**
 * Undeclared channels get the same error as inaccessible ones, so that a key cannot probe which channels exist.
 */
export async function getChannels(
  caller: Caller,
  numbers: readonly number[],
  needs: ProfileNeeds,
): Promise<ChannelDescription[]> {
  const open = new Map((await channelsOf(caller, needs)).map((channel) => [channel.number, channel]));
  return numbers.map((number) => {
    const channel = open.get(number);
    if (!channel) throw new Problem('permission-denied', `this key may not access channel ${number}`);
    return channel;
  });
}

export async function getChannel(
  caller: Caller,
  number: number,
  needs: ProfileNeeds,
): Promise<ChannelDescription> {
  const [channel] = await getChannels(caller, [number], needs);
  return channel as ChannelDescription;
}

/** Authenticates batch keys and lists the channels they may access. */
import type { Caller } from '../../model/account/account.ts';
import { isBatchKeyForm } from '../../model/account/api-key.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { AccountStore } from '../../store/account-store.ts';

export interface ProfileNeeds {
  readonly accounts: Pick<AccountStore, 'findByBatchKey'>;
  readonly settings: Pick<Settings, 'batch'>;
}

export interface ChannelDescription {
  readonly number: number;
  readonly description: string;
  readonly mimetype: string;
}

/** The user of the key in a request body. */
export async function getKeyHolder(apikey: unknown, needs: ProfileNeeds): Promise<Caller> {
  if (apikey === undefined) throw new Problem('credentials-missing', 'API key not present');
  if (typeof apikey !== 'string' || !isBatchKeyForm(apikey)) {
    throw fieldProblem('invalid-parameters', 'apikey', 'should be a string in UUID format');
  }
  const caller = await needs.accounts.findByBatchKey(apikey);
  if (!caller) throw new Problem('credentials-invalid', 'API key is unknown or was revoked');
  if (!caller.account.active) throw new Problem('not-provisioned', 'the account is not active');
  return caller;
}

/** The declared channels that the key may access, in order of number. */
export function channelsOf(caller: Caller, settings: Pick<Settings, 'batch'>): ChannelDescription[] {
  const { channels } = caller.user;
  return Object.entries(settings.batch.channels)
    .map(([name, channel]) => ({ number: Number(name), ...channel }))
    .filter(({ number }) => channels === 'all' || channels.includes(number))
    .sort((left, right) => left.number - right.number);
}

/**
 * An undeclared channel gets the same error as an inaccessible one, so that a key cannot probe which channels exist.
 */
export function getChannel(
  caller: Caller,
  number: number,
  settings: Pick<Settings, 'batch'>,
): ChannelDescription {
  const channel = channelsOf(caller, settings).find((open) => open.number === number);
  if (!channel) throw new Problem('permission-denied', `this key may not access channel ${number}`);
  return channel;
}

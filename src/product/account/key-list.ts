/** The keys of an account, with who made them, when they were last used, and how much. */
import type { Caller } from '../../model/account/account.ts';
import { calendarWindow, dayPeriod } from '../../model/account/limit.ts';
import type { Clock } from '../../model/clock.ts';
import { dayMs } from '../../model/durations.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { LastUse, UsageStore } from '../../store/usage-store.ts';
import { type Grantable, grantableIn } from './key-grants.ts';
import { seriesBy } from './usage-report.ts';

export interface KeyListNeeds {
  readonly accounts: Pick<AccountStore, 'listUsers' | 'keyPrefixes' | 'findByUsername'>;
  readonly usage: Pick<UsageStore, 'dailyUses' | 'lastUses'>;
  readonly clock: Clock;
}

export interface ListedKey {
  readonly caller: Caller;
  /** Left out where the key cannot be decrypted. */
  readonly prefix?: string;
  readonly last: LastUse;
  /** Requests of each day, today last. */
  readonly days: readonly number[];
}

export interface KeyList {
  readonly keys: readonly ListedKey[];
  readonly grantable: Grantable;
}

const daysShown = 30;
const listedMax = 10_000;

export async function describeKeys(admin: Caller, needs: KeyListNeeds): Promise<KeyList> {
  const { accounts, usage, clock } = needs;
  const { id: accountId } = admin.account;
  const users = await accounts.listUsers({ accountId, limit: listedMax });
  const prefixes = await accounts.keyPrefixes(accountId);
  const lastUses = await usage.lastUses(users.map(({ user }) => user.id));
  const today = calendarWindow(dayPeriod, clock.now()).startMs;
  const days = Array.from({ length: daysShown }, (_, index) => today - (daysShown - 1 - index) * dayMs);
  const series = seriesBy('username', await usage.dailyUses(accountId, days[0] ?? today), days);
  const keys = users.map((caller) => {
    const { id, username } = caller.user;
    const prefix = prefixes.get(username);
    return {
      caller,
      ...(prefix === undefined ? {} : { prefix }),
      last: lastUses.get(id) ?? {},
      days: series.get(username) ?? days.map(() => 0),
    };
  });
  return { keys, grantable: await grantableIn(admin, needs) };
}

/** One key as the list has it. */
export async function describeKey(admin: Caller, username: string, needs: KeyListNeeds): Promise<ListedKey> {
  const { keys } = await describeKeys(admin, needs);
  return keys.find(({ caller }) => caller.user.username === username) as ListedKey;
}

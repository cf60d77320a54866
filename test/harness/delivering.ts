/** Deliveries of a real store to real receivers on this machine, with a clock that the test sets. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import type { Caller } from '../../src/model/account.ts';
import type { Subscription } from '../../src/model/detect/watchlist.ts';
import type { Settings } from '../../src/model/settings.ts';
import { createDialer } from '../../src/outgoing/guarded-dialer.ts';
import { mailSender } from '../../src/outgoing/send-mail.ts';
import { createUser } from '../../src/product/account/operate.ts';
import { type Deliveries, startDeliveries } from '../../src/product/detect/deliveries.ts';
import { webhookSecret } from '../../src/product/detect/webhook-secret.ts';
import type { AccountStore } from '../../src/store/account-store.ts';
import { openAccountStore } from '../../src/store/embedded/account-store.ts';
import { openWatchlistStore } from '../../src/store/embedded/watchlist-store.ts';
import { keyVault, openServerSecret } from '../../src/store/key-vault.ts';
import type { NewSubscription, WatchlistStore } from '../../src/store/watchlist-store.ts';
import { canaryBatchKey, canaryKey } from './artifacts.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { TestClock } from './test-clock.ts';
import { discover, watchTerm } from './watchlisted.ts';

/** What every installation of these tests signs links with, and makes webhook secrets of. */
export const testLinkKey = Buffer.alloc(32, 7);
const seed = '00112233445566778899aabbccddeeff';
export const secretOfWebhooks = webhookSecret(seed, testLinkKey);

export interface Delivering {
  readonly watchlist: WatchlistStore;
  readonly accounts: AccountStore;
  readonly clock: TestClock;
  readonly directory: string;
  readonly accountId: string;
  readonly monitorId: string;
  /** What went wrong on our side. */
  readonly failures: readonly unknown[];
  start(ca?: string): Deliveries;
  subscribe(target: string, more?: Partial<NewSubscription>): Promise<Subscription>;
  /** Gives their ids by name. */
  discover(...domains: readonly string[]): Promise<ReadonlyMap<string, string>>;
  findSubscription(id: string): Promise<Subscription | undefined>;
}

export function openStores(directory: string) {
  const secret = openServerSecret(directory, '');
  return {
    accounts: openAccountStore(directory, keyVault(secret)),
    watchlist: openWatchlistStore(directory),
  };
}

export function settingsOf(more: Readonly<Record<string, string>> = {}): Settings {
  const texts = { 'outgoing.allow': '127.0.0.1', ...more };
  const flags = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, { flag: '--set', text }]),
  );
  return readConfig({ environment: {}, flags }).settings;
}

export async function delivering(
  t: TestContext,
  more: Readonly<Record<string, string>> = {},
): Promise<Delivering> {
  const started: Deliveries[] = [];
  const opened: { close(): Promise<void> }[] = [];
  // Before the directory goes, and the first to be asked for is the first to be done.
  t.after(async () => {
    await Promise.all(started.map((deliveries) => deliveries.close()));
    for (const store of opened) await store.close();
  });
  const directory = temporaryDirectory(t);
  const clock = new TestClock();
  const settings = settingsOf(more);
  const { accounts, watchlist } = openStores(directory);
  opened.push(accounts, watchlist);
  const failures: unknown[] = [];
  const { account } = await newUser(accounts, clock);
  const monitorId = await watchTerm(watchlist, account.id, clock.now());
  const listSubscription = async (id: string) =>
    (await watchlist.listSubscriptions(account.id)).find((subscription) => subscription.id === id);
  return {
    watchlist,
    accounts,
    clock,
    directory,
    accountId: account.id,
    monitorId,
    failures,
    start: (ca) => {
      const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
      const deliveries = startDeliveries({
        watchlist,
        accounts,
        clock,
        settings,
        dialer: createDialer({ settings }),
        linkKey: testLinkKey,
        sendMail: mailSender({ settings, timeoutMs, ...(ca === undefined ? {} : { ca }) }),
        onFailure: (error) => void failures.push(error),
        lookMs: 10,
      });
      started.push(deliveries);
      return deliveries;
    },
    subscribe: (target, subscription = {}) =>
      watchlist.createSubscription(account.id, {
        by: 'webhook',
        target,
        events: ['discovered', 'changed', 'escalated', 'risk-full'],
        every: 'event',
        seed,
        createdBy: 'operator',
        createdMs: clock.now(),
        nextMs: clock.now(),
        ...subscription,
      }),
    discover: (...domains) => discover(watchlist, account.id, monitorId, domains, clock.now()),
    findSubscription: listSubscription,
  };
}

export async function newUser(accounts: AccountStore, clock: TestClock, username = 'alice'): Promise<Caller> {
  const user = { username, permissions: ['read'], apiKey: canaryKey(), channels: 'all' } as const;
  return (await createUser({ ...user, batchKey: canaryBatchKey() }, { accounts, clock })).caller;
}

/** Waits for what deliveries do on their own. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries += 1) {
    assert.ok(tries < 1000, 'waited in vain');
    await pause(10);
  }
}

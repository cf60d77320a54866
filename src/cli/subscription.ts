/** `nameglass subscription`: manages webhook and e-mail notifications for the events of a watchlist. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Caller } from '../model/account/account.ts';
import {
  type EventKind,
  eventKinds,
  followableEventKinds,
  type Subscription,
} from '../model/detect/watchlist.ts';
import { Problem } from '../model/problem.ts';
import { subscribe } from '../product/detect/subscribe.ts';
import { webhookSecret } from '../product/detect/webhook-secret.ts';
import type { Stores } from '../stores.ts';
import { collect } from './argument-readers.ts';
import { printSelection, type SelectionOptions, withSelection } from './listing/selected-columns.ts';
import type { CliNeeds } from './needs.ts';
import { print, printJson, printTable } from './output.ts';
import { withSettings } from './settings-options.ts';
import { operator, withStores } from './with-stores.ts';

interface AddOptions {
  readonly username: string;
  readonly webhook?: string;
  readonly email?: string;
  readonly events?: readonly EventKind[];
  readonly every?: 'hour' | 'day';
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass subscription add --username alice --webhook https://siem.example/hook
  nameglass subscription add --username alice --email soc@example.com --every hour --events discovered,changed
  nameglass subscription list alice
  nameglass subscription remove alice Zb81kQ0xTa

A webhook receives each event immediately; an e-mail digest is sent at the end of an hour or day with events.
Subscriptions belong to the account of the user.
`;

export function addSubscription(program: Command, needs: CliNeeds): void {
  const subscription = program.command('subscription').addHelpText('after', help);
  withSettings(subscription.command('add').description('add a subscription to future events'))
    .requiredOption('--username <name>', 'API username of the account')
    .option('--webhook <url>', 'URL to post events to')
    .option('--email <address>', 'address to send digests to')
    .option(
      '--events <kinds>',
      `${followableEventKinds.join(', ')} (default: ${eventKinds.join(', ')})`,
      collect(readKind),
    )
    .option('--every <period>', 'period of digests: hour or day (default)', readPeriod)
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((options: AddOptions) => add(options, needs));
  const list = subscription
    .command('list')
    .description('list the subscriptions of an account and their delivery status');
  withSelection(withSettings(list))
    .argument('<username>', 'API username of the account')
    .action((username: string, options: SelectionOptions) =>
      withStores(options, needs, async (stores) => {
        const { account } = await getCaller(username, stores);
        const all = await stores.events.listSubscriptions(account.id);
        if (await printSelection(all.map(shown), options, needs)) return;
        if (options.json) printJson(all.map(shown));
        else if (all.length === 0) print(`Account ${account.name} has no subscriptions.`);
        else printTable(['ID', 'BY', 'TARGET', 'EVENTS', 'EVERY', 'SINCE', 'STATUS'], all.map(rowOf));
      }),
    );
  withSettings(subscription.command('remove').description('remove a subscription'))
    .argument('<username>', 'API username of the account')
    .argument('<id>', 'id of the subscription, as list shows it')
    .action((username: string, id: string, options) =>
      withStores(options, needs, async (stores) => {
        const { account } = await getCaller(username, stores);
        if (!(await stores.events.deleteSubscription(account.id, id)))
          throw new Problem('not-found', `account ${account.name} has no subscription ${id}`);
        print(`Removed subscription ${id}.`);
      }),
    );
}

function add(options: AddOptions, needs: CliNeeds): Promise<void> {
  const { username, webhook, email, events, every, json } = options;
  return withStores(options, needs, async (stores, settings) => {
    const { account } = await getCaller(username, stores);
    const made = await subscribe(
      { accountId: account.id, webhook, email, events, every, createdBy: operator(needs).actor },
      { ...stores, settings, clock: needs.clock },
    );
    const secret = webhookSecret(made.seed, stores.linkKey);
    if (json) return printJson({ ...shown(made), ...(made.by === 'webhook' ? { secret } : {}) });
    print(`Created subscription ${made.id} of account ${account.name}.`);
    if (made.by === 'webhook')
      print(`Its requests are signed with this secret, which is shown only once:\n  ${secret}`);
    else if (settings.mail.host === '') print('No e-mail is sent until the setting mail.host is set.');
  });
}

async function getCaller(username: string, { accounts }: Pick<Stores, 'accounts'>): Promise<Caller> {
  const caller = await accounts.findByUsername(username);
  if (!caller) throw new Problem('not-found', `there is no user ${username}`);
  return caller;
}

function shown(subscription: Subscription) {
  const { id, by, target, events, every, schedule, createdMs, failures, error, paused } = subscription;
  const created = new Date(createdMs).toISOString();
  return {
    id,
    by,
    target,
    events,
    every,
    schedule: schedule ?? null,
    created,
    failures,
    error: error ?? null,
    paused: paused !== undefined,
  };
}

function rowOf(subscription: Subscription): readonly unknown[] {
  const { id, by, target, events, every, created, failures, error, paused } = shown(subscription);
  const state = error === null ? 'ok' : `failed ${failures} times: ${error}`;
  const status = paused ? 'paused' : state;
  return [id, by, target, events.join(','), every, created, status];
}

function readKind(text: string): EventKind {
  const kind = followableEventKinds.find((known) => known === text.trim());
  if (!kind) throw new InvalidArgumentError(`Expected one or more of ${followableEventKinds.join(', ')}.`);
  return kind;
}

function readPeriod(text: string): 'hour' | 'day' {
  if (text !== 'hour' && text !== 'day') throw new InvalidArgumentError('Expected hour or day.');
  return text;
}

/** `nameglass subscription`: who is told what happens on a watchlist, by webhook or mail. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Caller } from '../model/account.ts';
import { type EventKind, eventKinds, type Subscription } from '../model/detect/watchlist.ts';
import { Problem } from '../model/problem.ts';
import { subscribe } from '../product/detect/subscribe.ts';
import { webhookSecret } from '../product/detect/webhook-secret.ts';
import { collect } from './argument-readers.ts';
import type { CliNeeds, Stores } from './needs.ts';
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

A webhook is told at once; letters come at the end of an hour or day in which something happened.
The account of the user is what they are about.
`;

export function addSubscription(program: Command, needs: CliNeeds): void {
  const subscription = program
    .command('subscription')
    .description('tell somebody what happens on a watchlist')
    .addHelpText('after', help);
  withSettings(subscription.command('add').description('begin to tell somebody, from now on'))
    .requiredOption('--username <name>', 'API username of the account')
    .option('--webhook <url>', 'where events are posted to')
    .option('--email <address>', 'where digests are sent to')
    .option('--events <kinds>', `${eventKinds.join(', ')}; by default all`, collect(readKind))
    .option('--every <period>', 'hour or day (default), for digests', readPeriod)
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((options: AddOptions) => add(options, needs));
  withSettings(subscription.command('list').description('who is told, and how that goes'))
    .argument('<username>', 'API username of the account')
    .option('--json', 'print JSON')
    .action((username: string, options: { json?: boolean }) =>
      withStores(options, needs, async (stores) => {
        const { account } = await getCaller(username, stores);
        const all = await stores.watchlist.listSubscriptions(account.id);
        if (options.json) printJson(all.map(shown));
        else if (all.length === 0) print(`Nobody is told of account ${account.name}.`);
        else printTable(['ID', 'BY', 'TARGET', 'EVENTS', 'EVERY', 'SINCE', 'STATUS'], all.map(rowOf));
      }),
    );
  withSettings(subscription.command('remove').description('tell somebody no more'))
    .argument('<username>', 'API username of the account')
    .argument('<id>', 'as list shows it')
    .action((username: string, id: string, options) =>
      withStores(options, needs, async (stores) => {
        const { account } = await getCaller(username, stores);
        if (!(await stores.watchlist.deleteSubscription(account.id, id)))
          throw new Problem('not-found', `account ${account.name} has no subscription ${id}`);
        print(`Subscription ${id} is gone.`);
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
    print(`Subscription ${made.id} of account ${account.name} was made.`);
    if (made.by === 'webhook')
      print(`What it is sent is signed with this secret, which is shown this once:\n  ${secret}`);
    else if (settings.mail.host === '') print('No letters are sent before the setting mail.host is set.');
  });
}

async function getCaller(username: string, { accounts }: Pick<Stores, 'accounts'>): Promise<Caller> {
  const caller = await accounts.findByUsername(username);
  if (!caller) throw new Problem('not-found', `there is no user ${username}`);
  return caller;
}

function shown(subscription: Subscription) {
  const { id, by, target, events, every, createdMs, failures, error } = subscription;
  const created = new Date(createdMs).toISOString();
  return { id, by, target, events, every, created, failures, error: error ?? null };
}

function rowOf(subscription: Subscription): readonly unknown[] {
  const { id, by, target, events, every, created, failures, error } = shown(subscription);
  const status = error === null ? 'ok' : `failed ${failures} times: ${error}`;
  return [id, by, target, events.join(','), every, created, status];
}

function readKind(text: string): EventKind {
  const kind = eventKinds.find((known) => known === text.trim());
  if (!kind) throw new InvalidArgumentError(`Say ${eventKinds.join(', ')}.`);
  return kind;
}

function readPeriod(text: string): 'hour' | 'day' {
  if (text !== 'hour' && text !== 'day') throw new InvalidArgumentError('Say hour or day.');
  return text;
}

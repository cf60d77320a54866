/** `nameglass subscription`: manages notifications for the events of a watchlist by webhook, e-mail and syslog. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Caller } from '../model/account/account.ts';
import { type MessageFormat, syslogFormats, webhookFormats } from '../model/detect/alert/receiver.ts';
import {
  type EventKind,
  eventKinds,
  followableEventKinds,
  type Subscription,
} from '../model/detect/watchlist.ts';
import { Problem } from '../model/problem.ts';
import { subscribe } from '../product/detect/subscribe.ts';
import { isSigned, webhookSecret } from '../product/detect/webhook-secret.ts';
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
  readonly syslog?: string;
  readonly format?: MessageFormat;
  readonly tokenFile?: string;
  readonly index?: string;
  readonly sourcetype?: string;
  readonly caFile?: string;
  readonly events?: readonly EventKind[];
  readonly every?: 'hour' | 'day';
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass subscription add --username alice --webhook https://siem.example/hook
  nameglass subscription add --username alice --webhook https://hooks.slack.example/services/T0/B0/x --format slack
  nameglass subscription add --username alice --webhook https://splunk.example:8088/services/collector/event --format splunk --token-file hec.token
  nameglass subscription add --username alice --syslog tls://siem.example:6514 --format ecs --ca-file siem-ca.pem
  nameglass subscription add --username alice --email soc@example.com --every hour --events discovered,changed
  nameglass subscription list alice
  nameglass subscription remove alice Zb81kQ0xTa

A webhook or a syslog receiver gets each event immediately; an e-mail digest is sent at the end of an hour or day with events.
Subscriptions belong to the account of the user.
`;

export function addSubscription(program: Command, needs: CliNeeds): void {
  const subscription = program.command('subscription').addHelpText('after', help);
  withSettings(subscription.command('add').description('add a subscription to future events'))
    .requiredOption('--username <name>', 'API username of the account')
    .option('--webhook <url>', 'URL to post events to')
    .option('--email <address>', 'address to send digests to')
    .option('--syslog <url>', 'syslog receiver: tls://HOST:PORT or tcp://HOST:PORT')
    .option(
      '--format <name>',
      `of webhooks: ${webhookFormats.join(', ')} (default: nameglass); of syslog: ${syslogFormats.join(', ')} (default: cef)`,
      readFormat,
    )
    .option(
      '--token-file <file>',
      'file with the token of the HTTP Event Collector of Splunk; - for standard input',
    )
    .option('--index <name>', 'index of Splunk')
    .option('--sourcetype <name>', 'source type of Splunk (default: nameglass:detect)')
    .option(
      '--ca-file <file>',
      'certificates in PEM to trust for syslog over TLS, in place of those of the system',
    )
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
        else
          printTable(['ID', 'BY', 'TARGET', 'EVENTS', 'EVERY', 'FORMAT', 'SINCE', 'STATUS'], all.map(rowOf));
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
  const { username, webhook, email, syslog, format, events, every, json } = options;
  const { tokenFile, index, sourcetype, caFile } = options;
  const token = tokenFile === undefined ? undefined : readText(tokenFile).trim();
  const ca = caFile === undefined ? undefined : readText(caFile);
  return withStores(options, needs, async (stores, settings) => {
    const { account } = await getCaller(username, stores);
    const made = await subscribe(
      {
        accountId: account.id,
        webhook,
        email,
        syslog,
        format,
        options: { token, index, sourcetype, ca },
        events,
        every,
        createdBy: operator(needs).actor,
      },
      { ...stores, settings, clock: needs.clock },
    );
    const secret = webhookSecret(made.seed, stores.linkKey);
    if (json) return printJson({ ...shown(made), ...(isSigned(made) ? { secret } : {}) });
    print(`Created subscription ${made.id} of account ${account.name}.`);
    if (isSigned(made))
      print(`Its requests are signed with this secret, which is shown only once:\n  ${secret}`);
    else if (made.by === 'email' && settings.mail.host === '')
      print('No e-mail is sent until the setting mail.host is set.');
  });
}

async function getCaller(username: string, { accounts }: Pick<Stores, 'accounts'>): Promise<Caller> {
  const caller = await accounts.findByUsername(username);
  if (!caller) throw new Problem('not-found', `there is no user ${username}`);
  return caller;
}

function shown(subscription: Subscription) {
  const { id, by, target, format, events, every, schedule, createdMs, failures, error, paused } =
    subscription;
  const created = new Date(createdMs).toISOString();
  return {
    id,
    by,
    target,
    format: by === 'email' ? null : format,
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
  const { id, by, target, format, events, every, created, failures, error, paused } = shown(subscription);
  const state = error === null ? 'ok' : `failed ${failures} times: ${error}`;
  const status = paused ? 'paused' : state;
  return [id, by, target, events.join(','), every, format ?? '', created, status];
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

function readFormat(text: string): MessageFormat {
  const formats = [...webhookFormats, ...syslogFormats];
  const format = formats.find((known) => known === text);
  if (!format) throw new InvalidArgumentError(`Expected one of ${formats.join(', ')}.`);
  return format;
}

/** Tokens are never arguments, which other users of the machine can see. */
function readText(file: string): string {
  return readFileSync(file === '-' ? 0 : file, 'utf8');
}

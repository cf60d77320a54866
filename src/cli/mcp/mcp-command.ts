/** `nameglass mcp`: assistant tools over standard input and output, on the stores of this machine or on those of a server. */
import type { Command } from 'commander';
import type { Caller } from '../../model/account/account.ts';
import { Problem } from '../../model/problem.ts';
import type { Stores } from '../../stores.ts';
import type { CliNeeds } from '../needs.ts';
import { connect } from '../remote/connection.ts';
import { connectionNeeds, guarded, type RemoteOptions } from '../remote/remote-command.ts';
import { type SettingsOptions, withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { forwardMessages } from './forward-messages.ts';

interface Options extends RemoteOptions, SettingsOptions {
  readonly username?: string;
}

const help = `
An assistant starts this command and talks to it; people do not. Standard output carries the protocol alone.
Without --server it opens the stores of this machine, beside a running server or without one. With --server, or with a profile of
nameglass login, it passes every message to that server with its key.

Examples:
  claude mcp add nameglass -- nameglass mcp --data /var/lib/nameglass --username alice
  claude mcp add nameglass -- nameglass mcp --server https://names.example
`;

export function addMcp(program: Command, needs: CliNeeds): void {
  const command = program
    .command('mcp')
    .option('--username <name>', 'whose tools these are, without --server (default: the only user)')
    .option('--server <url>', 'pass everything to this server (NAMEGLASS_SERVER)')
    .option('--profile <name>', 'profile of nameglass login (NAMEGLASS_PROFILE)');
  withSettings(command)
    .addHelpText('after', help)
    .action(async (options: Options) => {
      if (isRemote(options, needs)) return forward(options, needs);
      return withStores(options, needs, async (stores, settings) => {
        const caller = await findCaller(options.username, stores);
        await needs.serveAssistant(settings, stores, caller);
      });
    });
}

function isRemote({ server, profile }: Options, { environment }: CliNeeds): boolean {
  const given = [server, profile, environment['NAMEGLASS_SERVER'], environment['NAMEGLASS_PROFILE']];
  return given.some((one) => one !== undefined && one !== '');
}

/** A burst of an assistant is slowed down rather than refused. */
const waitSeconds = 10;

function forward(options: Options, needs: CliNeeds): Promise<void> {
  return guarded(options, needs, async (target) => {
    // The endpoint of assistants takes keys, not signatures.
    const plain = { ...target, sign: false };
    const client = connect(plain, { ...options, wait: waitSeconds }, connectionNeeds(options, needs));
    await forwardMessages(client, process.stdin, process.stdout);
  });
}

async function findCaller(username: string | undefined, { accounts }: Stores): Promise<Caller> {
  if (username !== undefined) {
    const found = await accounts.findByUsername(username);
    if (found) return found;
    throw new Problem('not-found', `there is no user ${username}; nameglass account list prints all`);
  }
  const [first, ...others] = await accounts.listUsers({ limit: 2 });
  if (first && others.length === 0) return first;
  throw new Problem(
    'invalid-parameters',
    first
      ? '--username: there are several users; name one'
      : 'there is no user yet; nameglass account create makes one',
  );
}

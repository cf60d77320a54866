/**
 * The command line: the table of commands, the parser, and one line and an exit code for every failure. A command is loaded when it is
 * called; the help and `version` load none.
 */
import { Command, CommanderError } from 'commander';
import { escapeForTerminal } from '../model/escape-for-terminal.ts';
import { Problem } from '../model/problem.ts';
import { permissionHint } from './data-owner.ts';
import type { CliNeeds } from './needs.ts';
import { handleClosedPipe, print } from './output.ts';

const usageCode = 2;

/** Adds the command to the program, without a description: that is in the table. */
type AddCommand = (program: Command, needs: CliNeeds) => void;

interface CommandEntry {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly description: string;
  readonly load: () => Promise<AddCommand>;
}

/** Under their headings, in the order of the help. */
export const commandGroups: Readonly<Record<string, readonly CommandEntry[]>> = {
  'Server:': [
    {
      name: 'serve',
      description: 'run the server until stopped',
      load: async () => (await import('./serve/serve-command.ts')).addServe,
    },
    {
      name: 'init',
      description: 'write a configuration for the real Internet, and create the first account',
      load: async () => (await import('./init/init-command.ts')).addInit,
    },
    {
      name: 'config',
      description: 'show every setting with its value and where the value comes from',
      load: async () => (await import('./config.ts')).addConfig,
    },
    {
      name: 'doctor',
      description: 'check the installation; exit code 1 if a check fails',
      load: async () => (await import('./doctor/doctor-command.ts')).addDoctor,
    },
  ],
  'Accounts and people:': [
    {
      name: 'account',
      description: 'manage accounts, users and their products',
      load: async () => (await import('./account/account-command.ts')).addAccount,
    },
    {
      name: 'key',
      description: 'manage the keys of users',
      load: async () => (await import('./key.ts')).addKey,
    },
    {
      name: 'person',
      description: 'manage the people who use the web UI',
      load: async () => (await import('./person/person-command.ts')).addPersonCommand,
    },
    {
      name: 'signin',
      description: 'print a link that signs a person in to the web UI',
      load: async () => (await import('./signin.ts')).addSignin,
    },
    {
      name: 'subscription',
      description: 'manage notifications for the events of a watchlist',
      load: async () => (await import('./subscription.ts')).addSubscription,
    },
  ],
  'Data in the stores:': [
    {
      name: 'import',
      description: 'import data from files',
      load: async () => (await import('./import/import-command.ts')).addImport,
    },
    {
      name: 'export',
      description: 'write data to files that other programs read',
      load: async () => (await import('./export/export-command.ts')).addExport,
    },
    {
      name: 'tail',
      description: 'follow a feed or channel and print its lines',
      load: async () => (await import('./tail.ts')).addTail,
    },
    {
      name: 'tag',
      description: 'tag a domain, or print its tags',
      load: async () => (await import('./tag.ts')).addTag,
    },
    {
      name: 'store',
      description: 'maintain stored data',
      load: async () => (await import('./store/store-command.ts')).addStore,
    },
    {
      name: 'verify',
      description: 'read stored data and name what is damaged; exit code 1 if anything is',
      load: async () => (await import('./verify/verify-command.ts')).addVerify,
    },
    {
      name: 'backup',
      description: 'copy everything in the data directory, while the server runs',
      load: async () => (await import('./backup/backup-command.ts')).addBackup,
    },
    {
      name: 'restore',
      description: 'make a new data directory from a backup',
      load: async () => (await import('./backup/restore-command.ts')).addRestore,
    },
  ],
  'Ask a server:': [
    {
      name: 'login',
      description: 'store the key of a server in a profile',
      load: async () => (await import('./remote/login.ts')).addLogin,
    },
    {
      name: 'logout',
      description: 'remove a profile with its key',
      load: async () => (await import('./remote/login.ts')).addLogout,
    },
    {
      name: 'whoami',
      description: 'show the user of the key, and what the key may do',
      load: async () => (await import('./remote/whoami.ts')).addWhoami,
    },
    {
      name: 'quota',
      description: 'show the limits of each product, and what is left',
      load: async () => (await import('./remote/quota.ts')).addQuota,
    },
    {
      name: 'domain',
      description: 'show what is known about domains, on one page each',
      load: async () => (await import('./remote/domain/domain-command.ts')).addDomain,
    },
    {
      name: 'enrich',
      description: 'list the records of many domains',
      load: async () => (await import('./remote/enrich.ts')).addEnrich,
    },
    {
      name: 'investigate',
      description: 'search domains by what they share',
      load: async () => (await import('./remote/investigate.ts')).addInvestigate,
    },
    {
      name: 'pdns',
      description: 'query passive DNS by name, address or prefix',
      load: async () => (await import('./remote/pdns/pdns-command.ts')).addPdns,
    },
    {
      name: 'detect',
      description: 'list lookalikes; watch, ignore or block them',
      load: async () => (await import('./remote/detect/detect-command.ts')).addDetect,
    },
    {
      name: 'triage',
      description: 'work through lookalikes on the whole terminal, with the keys of the web UI',
      load: async () => (await import('./remote/triage/triage-command.ts')).addTriage,
    },
    {
      name: 'monitor',
      description: 'list, add, preview and remove monitors of terms',
      load: async () => (await import('./remote/monitor/monitor-command.ts')).addMonitor,
    },
    {
      name: 'campaign',
      description: 'list, follow and change campaigns: domains that belong together',
      load: async () => (await import('./remote/campaign/campaign-command.ts')).addCampaign,
    },
    {
      name: 'evidence',
      description: 'make signed evidence packs of domains, and verify them',
      load: async () => (await import('./remote/evidence/evidence-command.ts')).addEvidence,
    },
    {
      name: 'blocklist',
      description: 'print the blocked domains, in a format of other software',
      load: async () => (await import('./remote/blocklist.ts')).addBlocklist,
    },
    {
      name: 'feed',
      description: 'poll or follow a feed',
      load: async () => (await import('./remote/feed.ts')).addFeed,
    },
    {
      name: 'mcp',
      description: 'serve tools to an assistant over standard input and output',
      load: async () => (await import('./mcp/mcp-command.ts')).addMcp,
    },
    {
      name: 'api',
      description: 'send any request to the API',
      load: async () => (await import('./remote/api.ts')).addApi,
    },
  ],
  'Without a server:': [
    {
      name: 'match',
      description: 'find lookalikes of terms in a list of names',
      load: async () => (await import('./match.ts')).addMatch,
    },
    {
      name: 'risk',
      description: 'score the risk of names',
      load: async () => (await import('./risk/risk-command.ts')).addRisk,
    },
  ],
  'About:': [
    {
      name: 'completion',
      description: 'print a completion script for bash, zsh or fish',
      load: async () => (await import('./completion/completion-command.ts')).addCompletion,
    },
    {
      name: 'man',
      description: 'show the manual page of all commands',
      load: async () => (await import('./completion/man-command.ts')).addMan,
    },
    {
      name: 'version',
      description: 'print the version',
      load: async () => addVersion,
    },
  ],
};

function newProgram(version: string): Command {
  return new Command('nameglass')
    .description('Open, self-hosted domain intelligence.')
    .showHelpAfterError('(--help shows the usage)')
    .configureHelp({ showGlobalOptions: true })
    .version(version)
    .configureOutput({
      outputError: (text, write) => write(text.split('\n').map(escapeForTerminal).join('\n')),
    })
    .addHelpText(
      'after',
      '\nStart here:\n  nameglass serve --demo   in a simulated Internet\n  nameglass init           on the real one\n',
    )
    .exitOverride();
}

async function addLoaded(program: Command, entry: CommandEntry, needs: CliNeeds): Promise<void> {
  (await entry.load())(program, needs);
  program.commands.find((command) => command.name() === entry.name)?.description(entry.description);
}

/** Every command with its options. */
export async function buildProgram(needs: CliNeeds): Promise<Command> {
  const program = newProgram(needs.version);
  for (const [heading, entries] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const entry of entries) await addLoaded(program, entry, needs);
  }
  return program.helpCommand(true);
}

/** The names and descriptions of all commands: what the help shows, and what an unknown command is compared with. */
function listCommands(version: string): Command {
  const program = newProgram(version);
  for (const [heading, entries] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const { name, description } of entries) program.command(name).description(description);
  }
  return program.helpCommand(true);
}

function addVersion(program: Command, { version }: Pick<CliNeeds, 'version'>): void {
  program.command('version').action(() => print(version));
}

interface Start {
  readonly version: string;
  /** Called for a command that is in the table only: the help needs none of it. */
  readonly loadNeeds: () => Promise<CliNeeds>;
}

async function programFor(args: readonly string[], { version, loadNeeds }: Start): Promise<Command> {
  const requested = args[0] === 'help' ? args[1] : args[0];
  const entry = Object.values(commandGroups)
    .flat()
    .find(({ name }) => name === requested);
  if (entry === undefined) return listCommands(version);
  const program = newProgram(version);
  if (entry.name === 'version') addVersion(program, { version });
  else await addLoaded(program, entry, await loadNeeds());
  return program;
}

/** Resolves to the exit code: 0 done, 2 bad usage, 1 anything else. */
export async function run(args: readonly string[], start: Start): Promise<number> {
  handleClosedPipe();
  try {
    const program = await programFor(args, start);
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return await explain(error);
  }
}

async function explain(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? 0 : usageCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`nameglass: ${escapeForTerminal(message + permissionHint(error))}\n`);
  if (error instanceof Problem) return error.code === 'invalid-parameters' ? usageCode : 1;
  const { ConfigError } = await import('../config.ts');
  if (error instanceof ConfigError) return error.fromFlag ? usageCode : 1;
  if (!isExpected(error)) process.stderr.write(`${error instanceof Error ? error.stack : ''}\n`);
  return 1;
}

/** System errors (port in use, file missing) explain themselves; a stack trace is for bugs. */
function isExpected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return typeof (error as NodeJS.ErrnoException).code === 'string' || isExpected(error.cause);
}

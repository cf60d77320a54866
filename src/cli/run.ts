/** The command line: parses the arguments, runs one command, and reports every failure in one line and an exit code. */
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { escapeForTerminal } from '../model/escape-for-terminal.ts';
import { Problem } from '../model/problem.ts';
import type { CliNeeds } from './needs.ts';
import { print } from './output.ts';

const usageCode = 2;

type AddCommand = (program: Command, needs: CliNeeds) => void;

/** In the order of the help. Commands are loaded on demand, to start fast. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.ts')).addServe,
  account: async () => (await import('./account/account-command.ts')).addAccount,
  person: async () => (await import('./person/person-command.ts')).addPersonCommand,
  signin: async () => (await import('./signin.ts')).addSignin,
  key: async () => (await import('./key.ts')).addKey,
  import: async () => (await import('./import/import-command.ts')).addImport,
  match: async () => (await import('./match.ts')).addMatch,
  risk: async () => (await import('./risk/risk-command.ts')).addRisk,
  subscription: async () => (await import('./subscription.ts')).addSubscription,
  tag: async () => (await import('./tag.ts')).addTag,
  tail: async () => (await import('./tail.ts')).addTail,
  store: async () => (await import('./store.ts')).addStore,
  verify: async () => (await import('./verify/verify-command.ts')).addVerify,
  config: async () => (await import('./config.ts')).addConfig,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  version: async () => addVersion,
};

/** With the requested command only, or with all commands if there is no such command. */
export async function buildProgram(needs: CliNeeds, requested = ''): Promise<Command> {
  const program = new Command('nameglass')
    .description('Open, self-hosted domain intelligence.')
    .showHelpAfterError('(--help shows the usage)')
    .configureHelp({ showGlobalOptions: true })
    .version(needs.version)
    .configureOutput({
      outputError: (text, write) => write(text.split('\n').map(escapeForTerminal).join('\n')),
    })
    .exitOverride();
  const wanted = Object.hasOwn(commands, requested) ? [requested] : Object.keys(commands);
  for (const name of wanted) (await commands[name]?.())?.(program, needs);
  program.addHelpText(
    'after',
    '\nStart here:\n  nameglass serve --demo\n  nameglass account create --username alice\n',
  );
  return program;
}

function addVersion(program: Command, { version }: CliNeeds): void {
  program
    .command('version')
    .description('print the version')
    .action(() => print(version));
}

/** Resolves to the exit code: 0 done, 2 bad usage, 1 anything else. */
export async function run(args: readonly string[], needs: CliNeeds): Promise<number> {
  // A closed pipe, as with `head`, is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  try {
    const program = await buildProgram(needs, args[0]);
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? 0 : usageCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`nameglass: ${escapeForTerminal(message)}\n`);
  if (error instanceof Problem) return error.code === 'invalid-parameters' ? usageCode : 1;
  if (error instanceof ConfigError) return error.fromFlag ? usageCode : 1;
  if (!isExpected(error)) process.stderr.write(`${error instanceof Error ? error.stack : ''}\n`);
  return 1;
}

/** System errors (port in use, file missing) explain themselves; a stack trace is for bugs. */
function isExpected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return typeof (error as NodeJS.ErrnoException).code === 'string' || isExpected(error.cause);
}

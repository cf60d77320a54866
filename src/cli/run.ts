/** The command line: parses, runs one command, and turns every failure into one clear line and an exit code. */
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { harmless } from '../model/harmless-text.ts';
import { Problem } from '../model/problem.ts';
import type { CliNeeds } from './needs.ts';
import { print } from './output.ts';

const usageCode = 2;

type AddCommand = (program: Command, needs: CliNeeds) => void;

/** In the order of the help. A command is loaded when it is asked for: what one of them needs, the others do not wait for. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.ts')).addServe,
  account: async () => (await import('./account.ts')).addAccount,
  key: async () => (await import('./key.ts')).addKey,
  import: async () => (await import('./import.ts')).addImport,
  match: async () => (await import('./match.ts')).addMatch,
  risk: async () => (await import('./risk.ts')).addRisk,
  subscription: async () => (await import('./subscription.ts')).addSubscription,
  tag: async () => (await import('./tag.ts')).addTag,
  tail: async () => (await import('./tail.ts')).addTail,
  verify: async () => (await import('./verify.ts')).addVerify,
  config: async () => (await import('./config.ts')).addConfig,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  version: async () => addVersion,
};

/** With the command that is asked for, or with all of them where that is none. */
export async function buildProgram(needs: CliNeeds, asked = ''): Promise<Command> {
  const program = new Command('nameglass')
    .description('Open, self-hosted domain intelligence.')
    .showHelpAfterError('(--help shows how)')
    .configureHelp({ showGlobalOptions: true })
    .version(needs.version)
    .configureOutput({ outputError: (text, write) => write(text.split('\n').map(harmless).join('\n')) })
    .exitOverride();
  const wanted = Object.hasOwn(commands, asked) ? [asked] : Object.keys(commands);
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
  // A reader that has seen enough, as `head`, is no failure.
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
  process.stderr.write(`nameglass: ${harmless(message)}\n`);
  if (error instanceof Problem) return error.code === 'invalid-parameters' ? usageCode : 1;
  if (error instanceof ConfigError) return error.fromFlag ? usageCode : 1;
  if (!isExpected(error)) process.stderr.write(`${error instanceof Error ? error.stack : ''}\n`);
  return 1;
}

/** Failures of the system (a port taken, a file missing) explain themselves; a stack is for our own mistakes. */
function isExpected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return typeof (error as NodeJS.ErrnoException).code === 'string' || isExpected(error.cause);
}

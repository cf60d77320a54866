/** The command line: parses, runs one command, and turns every failure into one clear line and an exit code. */
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { harmless } from '../model/harmless-text.ts';
import { Problem } from '../model/problem.ts';
import { addAccount } from './account.ts';
import { addConfig } from './config.ts';
import { addDoctor } from './doctor.ts';
import { addImport } from './import.ts';
import { addKey } from './key.ts';
import { addMatch } from './match.ts';
import type { CliNeeds } from './needs.ts';
import { print } from './output.ts';
import { addRisk } from './risk.ts';
import { addServe } from './serve.ts';
import { addSubscription } from './subscription.ts';
import { addTag } from './tag.ts';
import { addTail } from './tail.ts';
import { addVerify } from './verify.ts';

const usageCode = 2;

export function buildProgram(needs: CliNeeds): Command {
  const program = new Command('nameglass')
    .description('Open, self-hosted domain intelligence.')
    .showHelpAfterError('(--help shows how)')
    .configureHelp({ showGlobalOptions: true })
    .version(needs.version)
    .configureOutput({ outputError: (text, write) => write(text.split('\n').map(harmless).join('\n')) })
    .exitOverride();
  addServe(program, needs);
  addAccount(program, needs);
  addKey(program, needs);
  addImport(program, needs);
  addMatch(program);
  addRisk(program);
  addSubscription(program, needs);
  addTag(program, needs);
  addTail(program, needs);
  addVerify(program, needs);
  addConfig(program, needs);
  addDoctor(program, needs);
  program
    .command('version')
    .description('print the version')
    .action(() => print(needs.version));
  program.addHelpText(
    'after',
    '\nStart here:\n  nameglass serve --demo\n  nameglass account create --username alice\n',
  );
  return program;
}

/** Resolves to the exit code: 0 done, 2 bad usage, 1 anything else. */
export async function run(args: readonly string[], needs: CliNeeds): Promise<number> {
  // A reader that has seen enough, as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  try {
    await buildProgram(needs).parseAsync(args, { from: 'user' });
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

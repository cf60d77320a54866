/** `nameglass init`: asks what to protect and which sources to follow, writes a configuration and creates the first account. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { createCollectDialer } from '../../collect/collect-dialer.ts';
import {
  findAcceptingLogs,
  publicLogListUrl,
  readLogList,
} from '../../collect/sources/certificate-logs/log-list.ts';
import { Problem } from '../../model/problem.ts';
import { commandName } from '../command-name.ts';
import { coloured, wantsColour } from '../listing/colour.ts';
import type { CliNeeds } from '../needs.ts';
import { print } from '../output.ts';
import { mayHoldCredential } from '../settings/may-hold-credential.ts';
import { startConfigOf, withSettings } from '../settings-options.ts';
import { checkAnswers } from './check-answers.ts';
import { type ConfigurationParts, configurationYaml } from './configuration-yaml.ts';
import { createFirstData } from './first-data.ts';
import { type InitFlags, withInitFlags } from './flags.ts';
import { gatherAnswers } from './gather-answers.ts';
import { printNext } from './next-steps.ts';
import { Questions } from './questions.ts';
import { printFailures, printSummary } from './summary.ts';
import { existsAlready, writeNewFile } from './write-new-file.ts';

const help = `
Examples:
  nameglass init
  nameglass init /srv/nameglass --protect acmebank --own acmebank.com
  nameglass init /srv/nameglass --yes --protect 'acmebank,acme pay' --own acmebank.com --logs google,cloudflare

It writes nameglass.yaml to the directory (here by default), or to the file of --config, and never changes a file that exists. Run it as
the user that will run the server.
`;

const [checkTimeoutMs, logListTimeoutMs] = [10_000, 20_000];

export function addInit(program: Command, needs: CliNeeds): void {
  withInitFlags(
    withSettings(program.command('init')).argument('[directory]', 'where to write nameglass.yaml'),
  )
    .addHelpText('after', help)
    .action((directory: string | undefined, flags: InitFlags) => init(directory, flags, needs));
}

async function init(given: string | undefined, flags: InitFlags, needs: CliNeeds): Promise<void> {
  const directory = resolve(given ?? '.');
  const file = flags.config === undefined ? join(directory, 'nameglass.yaml') : resolve(flags.config);
  if (existsSync(file)) throw existsAlready(file);
  if (!flags.yes && !process.stdin.isTTY)
    throw new Problem('invalid-parameters', 'there is no terminal to ask on; give --yes and flags');
  const allow = flags.allow === undefined ? [] : [`collect.allow=${flags.allow}`];
  const { settings, effective } = startConfigOf({ set: [...(flags.set ?? []), ...allow] }, needs);
  const questions = flags.yes ? undefined : new Questions();
  const hasColour = process.stdout.isTTY && wantsColour({}, needs.environment);
  const title = (text: string) => print(`\n${hasColour ? coloured(text, 'bold') : text}`);
  const heading = (text: string) => {
    if (questions) title(text);
  };
  const dialer = createCollectDialer(settings.collect);
  const list = flags.logList ?? publicLogListUrl;
  if (questions) {
    print(`Nameglass ${needs.version}: a configuration for the real Internet, in ${file}`);
    print('Enter takes what is in brackets, Ctrl-C leaves nothing behind.');
  }
  const answers = await gatherAnswers({
    flags,
    questions,
    settings,
    directory,
    heading,
    listLogs: async () =>
      findAcceptingLogs(await readLogList(list, { dialer, timeoutMs: logListTimeoutMs }), needs.clock.now()),
  });
  if (flags.check) title('Checking that everything answers');
  const checks = flags.check
    ? await checkAnswers(answers, { dialer, timeoutMs: checkTimeoutMs, settings })
    : [];
  printFailures(checks);
  title('Summary');
  printSummary({ answers, checks, file, settings });
  print();
  if (questions && !(await questions.confirm('Write it?'))) {
    questions.close();
    print('Nothing was written.');
    return;
  }
  questions?.close();
  const extra = effective.filter(({ origin }) => origin.startsWith('flag '));
  const day = new Date(needs.clock.now()).toISOString().slice(0, 10);
  await write(file, { answers, checks, extra, day, version: needs.version }, needs);
}

async function write(file: string, parts: ConfigurationParts, needs: CliNeeds): Promise<void> {
  const { answers } = parts;
  const read = (path: string) => needs.readConfig({ file: path, flags: {}, world: undefined }).settings;
  writeNewFile({
    path: file,
    text: configurationYaml(parts),
    mode: holdsSecret(parts) ? 0o600 : 0o644,
    check: (draft) => void read(draft),
  });
  const made = await createFirstData(answers, read(file), needs).catch((error: unknown) => {
    const command = `${commandName} account create --username ${answers.username} --permissions admin --config ${file}`;
    const message = `${file} is written, but the first user could not be created: ${(error as Error).message}. Then: ${command}`;
    throw new Problem('unavailable', message, { cause: error });
  });
  printNext(answers, file, made);
}

function holdsSecret({ answers, extra }: ConfigurationParts): boolean {
  const { mail, nameLists, reputationLists, zoneFiles } = answers;
  const isSecret = mail !== undefined && mail.server.password !== '';
  return (
    isSecret ||
    extra.some(({ secret }) => secret) ||
    mayHoldCredential([nameLists, reputationLists, zoneFiles])
  );
}

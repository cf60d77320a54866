/** `nameglass serve`: brings the service up, tells how to reach it, and takes it down on a signal. */
import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import { createUser, type NewKeys, unlimitedPdns } from '../product/account/operate.ts';
import type { CliNeeds, Service } from './needs.ts';
import { print } from './output.ts';
import { configOf, withSettings } from './settings-options.ts';

const demoUser = 'demo';

export function addServe(program: Command, needs: CliNeeds): void {
  withSettings(program.command('serve').description('answer requests until stopped'))
    .option('--host <host>', 'address to listen on (http.host)')
    .option('--port <number>', 'port to listen on (http.port)')
    .option('--role <role>', 'all, api or worker (role)')
    .option('--demo', 'make a first account when there is none (demo)')
    .action(async (options) => {
      const { settings } = configOf(options, needs);
      const service = await needs.startService(settings);
      const stopped = untilStopped(service);
      try {
        const keys = settings.demo ? await firstAccount(service, needs) : undefined;
        print(`Nameglass ${needs.version} is ready at ${service.url} (data in ${settings.data})`);
        const where = whereFlags(options.config, settings.data);
        if (keys) printFirstKeys(keys, service.url, where);
        else await printHints(service, where);
      } catch (error) {
        await service.stop();
        throw error;
      }
      await stopped;
    });
}

async function firstAccount({ stores }: Service, needs: CliNeeds): Promise<NewKeys | undefined> {
  if ((await stores.accounts.listUsers({ limit: 1 })).length > 0) return undefined;
  const request = {
    username: demoUser,
    permissions: ['admin'],
    channels: 'all',
    pdns: unlimitedPdns,
  } as const;
  try {
    return await createUser(request, { accounts: stores.accounts, clock: needs.clock });
  } catch (error) {
    // Another process on the same new directory was first, and shows the keys.
    if (error instanceof Problem && error.code === 'already-exists') return undefined;
    throw error;
  }
}

/** What a command needs to work on the data of this server. */
function whereFlags(config: string | undefined, data: string): string {
  const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const configFlag = config === undefined ? '' : ` --config ${quoted(config)}`;
  return data === './data' ? configFlag : `${configFlag} --data ${quoted(data)}`;
}

function printFirstKeys({ apiKey, batchKey }: NewKeys, url: string, where: string): void {
  print();
  print(`  A first account was made: user "${demoUser}", all permissions. Its keys are shown this once:`);
  print(`    API key    ${apiKey}`);
  print(`    batch key  ${batchKey}`);
  print();
  print('  Try it:');
  print(`    curl -H 'X-Api-Key: ${apiKey}' ${url}/v1/account/`);
  print();
  print(`  Reference: ${url}/docs   Stop: Ctrl-C   Another key: npx nameglass key reset ${demoUser}${where}`);
}

async function printHints({ stores, url }: Service, where: string): Promise<void> {
  const [first] = await stores.accounts.listUsers({ limit: 1 });
  if (!first)
    print(`  There is no account yet. Make one: npx nameglass account create --username NAME${where}`);
  else
    print(
      `  Keys are shown only when made. A new one: npx nameglass key reset ${first.user.username}${where}`,
    );
  print(`  Reference: ${url}/docs   Stop: Ctrl-C`);
}

/** The first signal drains; a second one ends the process where it stands. */
async function untilStopped(service: Service): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, resolve);
  });
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
  print(`${signal}: finishing requests under way; once more to stop at once`);
  await service.stop();
}

/** `nameglass serve`: starts the service, prints how to reach it, and shuts it down on a signal. */
import type { Command } from 'commander';
import { commandName } from './command-name.ts';
import { firstAccount, printEntry, printFirstKeys, showProgress } from './demo.ts';
import type { CliNeeds, Service } from './needs.ts';
import { print } from './output.ts';
import { announceRunning } from './running/announce-running.ts';
import { startConfigOf, withSettings } from './settings-options.ts';

export function addServe(program: Command, needs: CliNeeds): void {
  withSettings(program.command('serve'))
    .option('--host <host>', 'address to listen on (http.host)')
    .option('--port <number>', 'port to listen on (http.port)')
    .option('--role <role>', 'all, api or worker (role)')
    .option('--demo', 'run in a simulated Internet with a first account (demo)')
    .action(async (options) => {
      const { settings: initial } = startConfigOf(options, needs);
      const world = initial.demo ? await needs.startWorld() : undefined;
      try {
        const { settings, effective } = startConfigOf(options, needs, world?.settings);
        const service = await needs.startService(settings);
        const stopped = untilStopped(service);
        const { data, role } = settings;
        const { url } = service;
        const { version, clock } = needs;
        const withdraw = announceRunning(data, { url, version, role, startedMs: clock.now(), effective });
        try {
          const keys = world ? await firstAccount(service, world, needs) : undefined;
          print(`Nameglass ${needs.version} is ready at ${service.url} (data in ${settings.data})`);
          const where = whereFlags(options.config, settings.data);
          if (world && service.servesWeb) await printEntry(service, settings, needs);
          if (keys) printFirstKeys(keys, service.url, where);
          else await printHints(service, where);
          if (world) showProgress(service, stopped);
        } catch (error) {
          await service.stop();
          withdraw();
          throw error;
        }
        await stopped.finally(withdraw);
      } finally {
        await world?.stop();
      }
    });
}

/** The flags that a command needs to work on the data of this server. */
function whereFlags(config: string | undefined, data: string): string {
  const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const configFlag = config === undefined ? '' : ` --config ${quoted(config)}`;
  return data === './data' ? configFlag : `${configFlag} --data ${quoted(data)}`;
}

async function printHints({ stores, url, servesWeb }: Service, where: string): Promise<void> {
  const [first] = await stores.accounts.listUsers({ limit: 1 });
  if (!first)
    print(`  There is no account yet. Create one: ${commandName} account create --username NAME${where}`);
  else
    print(
      `  Keys are shown only when created. New key: ${commandName} key reset ${first.user.username}${where}`,
    );
  if (first && servesWeb)
    print(`  Web UI: ${url}/ui/   Sign in with a link: ${commandName} signin ${first.user.username}${where}`);
  print(`  API reference: ${url}/docs   Stop: Ctrl-C`);
}

/** The first signal drains requests; the second one ends the process immediately. */
async function untilStopped(service: Service): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, resolve);
  });
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
  print(`${signal}: finishing open requests; repeat the signal to stop immediately`);
  await service.stop();
}

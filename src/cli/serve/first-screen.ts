/** What a server prints when it is ready. */
import type { Settings } from '../../model/settings/settings.ts';
import { commandName } from '../command-name.ts';
import type { CliNeeds, DemoWorld, Service } from '../needs.ts';
import { print } from '../output.ts';
import { firstAccount, printEntry, printFirstKeys } from './demo.ts';

export interface ScreenOptions {
  readonly settings: Settings;
  readonly where: string;
  readonly world?: Pick<DemoWorld, 'brands' | 'ownDomains'> | undefined;
}

export async function printFirstScreen(
  service: Service,
  { settings, where, world }: ScreenOptions,
  needs: Pick<CliNeeds, 'version' | 'clock'>,
): Promise<void> {
  const keys = world ? await firstAccount(service, world, needs) : undefined;
  print(`Nameglass ${needs.version} is ready at ${service.url} (data in ${settings.data})`);
  if (world && service.servesWeb) await printEntry(service, settings, needs);
  if (keys) printFirstKeys(keys, service.url, where);
  else await printHints(service, where);
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

/** The demonstration: a first account with monitors for the brands of the simulated Internet, and how to try it. */
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { createUser, type NewKeys, unlimitedPdns } from '../../product/account/operate.ts';
import { createMonitor } from '../../product/detect/monitors.ts';
import { changeOwnDomains, getOwnDomainChange } from '../../product/detect/own-domains.ts';
import { createPrintedLink, getPersonToSignIn } from '../../product/people/operate-people.ts';
import { commandName } from '../command-name.ts';
import type { CliNeeds, DemoWorld, Service } from '../needs.ts';
import { print } from '../output.ts';
import { operator } from '../with-stores.ts';

const demoUser = 'demo';

/** Undefined if an account exists already. */
export async function firstAccount(
  { stores }: Service,
  { brands, ownDomains }: Pick<DemoWorld, 'brands' | 'ownDomains'>,
  { clock }: Pick<CliNeeds, 'clock'>,
): Promise<NewKeys | undefined> {
  const { accounts, monitors } = stores;
  if ((await accounts.listUsers({ limit: 1 })).length > 0) return undefined;
  const request = {
    username: demoUser,
    permissions: ['admin'],
    channels: 'all',
    pdns: unlimitedPdns,
  } as const;
  try {
    const made = await createUser(request, { accounts, clock });
    const own = getOwnDomainChange(ownDomains, []);
    await changeOwnDomains(made.caller.account.id, own, { monitors });
    for (const term of brands) {
      const settings = {
        term,
        matchSubstringVariations: true,
        nameserverExclusions: [],
        textExclusions: [],
      };
      await createMonitor(made.caller, settings, { monitors }, clock.now());
    }
    return made;
  } catch (error) {
    // Another process on the same new directory was first, and printed the keys.
    if (error instanceof Problem && error.code === 'already-exists') return undefined;
    throw error;
  }
}

/** A link into the web UI, so that nobody meets a password in the demonstration. */
export async function printEntry(
  service: Service,
  settings: Settings,
  { clock }: Pick<CliNeeds, 'clock'>,
): Promise<void> {
  const needs = { ...service.stores, clock };
  // In a data directory with accounts of its own there is no such user.
  if (!(await needs.accounts.findByUsername(demoUser))) return;
  const found = await getPersonToSignIn(demoUser, needs);
  if (!found.person.operator)
    await needs.people.updatePerson(found.person.id, { operator: true }, operator({ clock }));
  const url = await createPrintedLink(found, settings, needs, Number(new URL(service.url).port));
  print();
  print(`  Open ${url}  (works once, 10 minutes)`);
}

export function printFirstKeys({ apiKey, batchKey }: NewKeys, url: string, where: string): void {
  print();
  print(`  Created a first account: user "${demoUser}" with all permissions. The keys are shown only once:`);
  print(`    API key    ${apiKey}`);
  print(`    batch key  ${batchKey}`);
  print();
  print('  The server runs in a small simulated Internet and monitors the brands there. Try it:');
  print(`    curl -H 'X-Api-Key: ${apiKey}' ${url}/v1/account/`);
  print(`    curl -H 'X-Api-Key: ${apiKey}' '${url}/v1/intel-detect/domains/new/?preview=1'`);
  print(`    curl -H 'X-Api-Key: ${apiKey}' '${url}/v1/feed/domaindiscovery/?after=-3600&top=5'`);
  print();
  print(
    `  API reference: ${url}/docs   Stop: Ctrl-C   New key: ${commandName} key reset ${demoUser}${where}`,
  );
}

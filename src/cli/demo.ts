/** The demonstration: a first account that protects the brands of the demonstration's world, and what becomes visible of it. */
import { Problem } from '../model/problem.ts';
import { createUser, type NewKeys, unlimitedPdns } from '../product/account/operate.ts';
import { createMonitor } from '../product/detect/monitors.ts';
import { changeOwnDomains, getOwnDomainChange } from '../product/detect/own-domains.ts';
import type { CliNeeds, DemoWorld, Service } from './needs.ts';
import { print } from './output.ts';
import { progressLine } from './progress-line.ts';

const demoUser = 'demo';
const lookMs = 500;

/** Undefined where there is an account already. */
export async function firstAccount(
  { stores }: Service,
  { brands, ownDomains }: DemoWorld,
  { clock }: CliNeeds,
): Promise<NewKeys | undefined> {
  const { accounts, watchlist } = stores;
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
    await changeOwnDomains(made.caller.account.id, own, { watchlist });
    for (const term of brands) {
      const settings = {
        term,
        matchSubstringVariations: true,
        nameserverExclusions: [],
        textExclusions: [],
      };
      await createMonitor(made.caller, settings, { watchlist }, clock.now());
    }
    return made;
  } catch (error) {
    // Another process on the same new directory was first, and shows the keys.
    if (error instanceof Problem && error.code === 'already-exists') return undefined;
    throw error;
  }
}

export function printFirstKeys({ apiKey, batchKey }: NewKeys, url: string, where: string): void {
  print();
  print(`  A first account was made: user "${demoUser}", all permissions. Its keys are shown this once:`);
  print(`    API key    ${apiKey}`);
  print(`    batch key  ${batchKey}`);
  print();
  print('  It lives in a small Internet of its own, and monitors the brands there. Try it:');
  print(`    curl -H 'X-Api-Key: ${apiKey}' ${url}/v1/account/`);
  print(`    curl -H 'X-Api-Key: ${apiKey}' '${url}/v1/intel-detect/domains/new/?preview=1'`);
  print(`    curl -H 'X-Api-Key: ${apiKey}' '${url}/v1/feed/domaindiscovery/?after=-3600&top=5'`);
  print();
  print(`  Reference: ${url}/docs   Stop: Ctrl-C   Another key: npx nameglass key reset ${demoUser}${where}`);
}

/** One line that grows while the world is looked at, until the service stops. */
export function showProgress(service: Service, stopped: Promise<void>): void {
  const line = progressLine();
  const timer = setInterval(() => {
    const { discovered, looked, lookalikes, pictures, rrsets } = service.progress();
    line.show(
      `  domains discovered ${discovered} · looked at ${looked} · lookalikes ${lookalikes} · ` +
        `pictures ${pictures} · RRsets of passive DNS ${rrsets}`,
    );
  }, lookMs).unref();
  const end = () => {
    clearInterval(timer);
    line.clear();
  };
  stopped.then(end, end);
}

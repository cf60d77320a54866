#!/usr/bin/env node
/**
 * The composition root: the command line, and the service built from settings, stores, server and pipeline. Only this file chooses a
 * store adapter.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { assetPath } from './asset-path.ts';
import { becomeDataOwner } from './cli/data-owner.ts';
import type { CliNeeds, Service } from './cli/needs.ts';
import { run } from './cli/run.ts';
import type { Caller } from './model/account/account.ts';
import type { Clock } from './model/clock.ts';
import type { Settings } from './model/settings/settings.ts';
import { keepThreadsSmall, smallAllocatorHeaps, startSmall } from './service/small-heap.ts';
import type { ServiceNeeds, StoreCallbacks } from './service/start-service.ts';
import type { Stores } from './stores.ts';

const { version } = JSON.parse(readFileSync(assetPath('package.json'), 'utf8')) as {
  version: string;
};
const clock: Clock = { now: () => Date.now() };

/** Commands do not wait for larger databases; the server does. */
const commandCheckBytes = 64 << 20;

const commandCallbacks: StoreCallbacks = {
  onFault: (fault) => process.stderr.write(`${fault}\n`),
  startCheck: { bytesMax: commandCheckBytes },
};

async function openStores(
  settings: Settings,
  { create }: { create: boolean },
  { onFault, onWarning, onSpaceChange, startCheck }: StoreCallbacks = commandCallbacks,
): Promise<Stores> {
  const { checkAtStart } = await import('./store/embedded/verify/check-at-start.ts');
  const { data, secret, storage, caches } = settings;
  becomeDataOwner(data);
  await checkAtStart(data, { ...startCheck, onFault });
  const reserve = { bytes: storage.reserveBytes, percent: storage.reservePercent };
  if (settings.store.kind === 'distributed') {
    const { isNodes, openDistributedStores } = await import('./store/distributed/open-stores.ts');
    const { openLocalStores } = await import('./store/embedded/open-local-stores.ts');
    const hasRrsets = isNodes(settings.store);
    const local = openLocalStores({ data, clock, reserve, caches, hasRrsets, onFault, onSpaceChange });
    return openDistributedStores({ settings, clock, local, onFault, onWarning });
  }
  const { openEmbeddedStores } = await import('./store/embedded/open-stores.ts');
  return openEmbeddedStores({ data, secret, clock, create, reserve, caches, onFault, onSpaceChange });
}

/** With this first argument the program is a process of a supervised server; the second one is its role. */
const supervisedArgument = 'supervised-process';

const node = hostname();
const appDirectory = assetPath('web/dist');
const serviceNeeds: ServiceNeeds = { version, clock, node, openStores, appDirectory };

async function startService(settings: Settings): Promise<Service> {
  const service = await import('./service/start-service.ts');
  return service.startService(settings, serviceNeeds);
}

const superviseService: CliNeeds['superviseService'] = async (initial, settings, onChange) => {
  const { superviseService: supervise } = await import('./service/supervise-service.ts');
  const environment = { ...smallAllocatorHeaps, ...process.env };
  becomeDataOwner(initial.data);
  return supervise({
    own: initial,
    settings,
    clock,
    node,
    program: [import.meta.filename, supervisedArgument],
    environment,
    onChange,
  });
};

async function serveAssistant(settings: Settings, stores: Stores, caller: Caller): Promise<void> {
  const { createLog } = await import('./log.ts');
  const { serveStdio } = await import('./http/assistant/serve-stdio.ts');
  const { publicUrl } = await import('./model/settings/public-url.ts');
  const { ThreadedNameSearch } = await import('./pipeline/discovery/threaded-name-search.ts');
  const { openRiskScorer } = await import('./product/risk/open-risk-scorer.ts');
  const { logger, flush } = createLog(settings, clock);
  const riskScorer = openRiskScorer(settings);
  const nameSearch = new ThreadedNameSearch();
  const serverUrl = () => publicUrl(settings) + settings.http.mountPrefix;
  const needs = {
    ...stores,
    settings,
    logger,
    nameSearch,
    riskScorer: () => riskScorer.load(),
    clock,
    version,
    serverUrl,
  };
  try {
    await serveStdio(needs, caller, { input: process.stdin, output: process.stdout });
  } finally {
    await nameSearch.close();
    await flush();
  }
}

// Files we write are readable by their owner only.
process.umask(0o077);

/** Loaded on demand, like everything else here: the help and `version` need none of it. */
async function loadNeeds(): Promise<CliNeeds> {
  const { readConfig } = await import('./config.ts');
  return {
    version,
    clock,
    environment: process.env,
    readConfig: (sources) => readConfig({ ...sources, environment: process.env }),
    openStores,
    verifyDatabases: async ({ data }, check) => {
      const { verifyDatabases } = await import('./store/embedded/verify/verify-databases.ts');
      becomeDataOwner(data);
      return verifyDatabases(data, check);
    },
    loadBackups: async () => (await import('./store/embedded/backup/embedded-backups.ts')).embeddedBackups,
    loadEngines: async () => {
      const { distributedEngines } = await import('./store/distributed/distributed-engines.ts');
      return distributedEngines(clock);
    },
    loadStoreCopier: async () => (await import('./store-copy/store-copier.ts')).storeCopier(clock),
    serveAssistant,
    startWorld: async () => {
      const { startDemoWorld } = await import('./cli/serve/demo-world.ts');
      return startDemoWorld(clock.now());
    },
    startService,
    superviseService,
  };
}

const args = process.argv.slice(2);
if (args[0] === 'serve' || args[0] === supervisedArgument) startSmall();
if (args[0] === supervisedArgument && process.connected) {
  if (args[1] !== 'api') keepThreadsSmall();
  const { runSupervisedProcess } = await import('./service/supervised-process.ts');
  await runSupervisedProcess(args[1] === 'api' ? 'api' : 'worker', serviceNeeds);
} else process.exitCode = await run(args, { version, loadNeeds });

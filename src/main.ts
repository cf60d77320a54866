#!/usr/bin/env node
/**
 * The composition root: the command line, and the service built from settings, stores, server and pipeline. Only this file chooses a
 * store adapter.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { assetPath } from './asset-path.ts';
import type { CliNeeds, Service } from './cli/needs.ts';
import { run } from './cli/run.ts';
import type { Caller } from './model/account/account.ts';
import type { Clock } from './model/clock.ts';
import { Problem } from './model/problem.ts';
import type { Settings } from './model/settings/settings.ts';
import type { StartCheck } from './store/embedded/verify/check-at-start.ts';
import type { SpaceState } from './store/free-space.ts';
import type { Stores } from './stores.ts';

const { version } = JSON.parse(readFileSync(assetPath('package.json'), 'utf8')) as {
  version: string;
};
const clock: Clock = { now: () => Date.now() };

/** Commands do not wait for larger databases; the server does. */
const commandCheckBytes = 64 << 20;

interface StoreCallbacks {
  readonly onFault: (fault: string) => void;
  readonly onSpaceChange?: (state: SpaceState) => void;
  readonly startCheck: Pick<StartCheck, 'bytesMax' | 'onProgress'>;
}

const commandCallbacks: StoreCallbacks = {
  onFault: (fault) => process.stderr.write(`${fault}\n`),
  startCheck: { bytesMax: commandCheckBytes },
};

async function openStores(
  settings: Settings,
  { create }: { create: boolean },
  { onFault, onSpaceChange, startCheck }: StoreCallbacks = commandCallbacks,
): Promise<Stores> {
  const { checkAtStart } = await import('./store/embedded/verify/check-at-start.ts');
  const { openEmbeddedStores } = await import('./store/embedded/open-stores.ts');
  const { data, secret, storage } = settings;
  await checkAtStart(data, { ...startCheck, onFault });
  const reserve = { bytes: storage.reserveBytes, percent: storage.reservePercent };
  return openEmbeddedStores({ data, secret, clock, create, reserve, onFault, onSpaceChange });
}

async function startService(settings: Settings): Promise<Service> {
  // Loaded on demand: other commands start faster without the server.
  const { createLog } = await import('./log.ts');
  const { createMetrics } = await import('./http/metrics.ts');
  const { createServer } = await import('./http/server.ts');
  const { ThreadedNameSearch } = await import('./pipeline/discovery/threaded-name-search.ts');
  const { startPipeline } = await import('./pipeline/start-pipeline.ts');
  const { PasswordHasher } = await import('./product/people/password-hasher.ts');
  const { openRiskScorer } = await import('./product/risk/open-risk-scorer.ts');
  const { DatabaseScrub } = await import('./store/embedded/verify/database-scrub.ts');
  const { hasLargerDatabase } = await import('./store/embedded/verify/list-databases.ts');
  const { openZoneTransfer } = await import('./zone-transfer/open-zone-transfer.ts');

  const { logger, line: logLine, flush } = createLog(settings, clock);
  const riskScorer = openRiskScorer(settings);
  const stores = await openStores(
    settings,
    { create: true },
    {
      onFault: (fault) => logger.error(fault),
      onSpaceChange: ({ isLow, ...bytes }) => {
        if (isLow) logger.error(bytes, 'disk space is low: ingest has stopped until some is freed');
        else logger.info(bytes, 'there is disk space again: ingest goes on');
      },
      startCheck: {
        bytesMax: settings.storage.startCheckBytes,
        onProgress: everyFewSeconds((doneBytes, allBytes) =>
          logger.info({ doneBytes, allBytes }, 'comparing the databases with their checksums'),
        ),
      },
    },
  );
  const scrub = new DatabaseScrub(settings.data, {
    hours: settings.storage.scrubHours,
    isDue: hasLargerDatabase(settings.data, settings.storage.startCheckBytes),
    onDamage: (text) => logger.error(text),
  });
  const readiness = { draining: false };
  const metrics = createMetrics({ process: true });
  const nameSearch = new ThreadedNameSearch();
  const server = await createServer({
    ...stores,
    nameSearch,
    riskScorer: () => riskScorer,
    settings,
    logger,
    logLine,
    metrics,
    readiness,
    clock,
    version,
    passwords: new PasswordHasher(),
    appDirectory: assetPath('web/dist'),
  });
  const pipeline = await startPipeline({
    settings,
    stores,
    nameSearch,
    riskScorer,
    logger,
    metrics,
    clock,
    version,
  });
  const { host, port } = settings.http;
  let zoneTransfer: Awaited<ReturnType<typeof openZoneTransfer>> | undefined;
  try {
    zoneTransfer = await openZoneTransfer({ ...stores, settings, logger, metrics, clock });
    await server.listen({ host, port });
  } catch (error) {
    await zoneTransfer?.close();
    await pipeline.close();
    await nameSearch.close();
    await scrub.close();
    await stores.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Problem('unavailable', `port ${port} on ${host} is taken; choose another with --port N`);
  }
  const { port: bound } = server.addresses()[0] as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;

  return {
    url: `http://${shown}:${bound}`,
    servesWeb: settings.web.enabled && settings.role !== 'worker',
    stores,
    progress: () => pipeline.progress(),
    stop: async () => {
      readiness.draining = true;
      const deadline = setTimeout(
        () => server.server.closeAllConnections(),
        settings.http.drainSeconds * 1000,
      );
      await Promise.all([server.close(), pipeline.close(), zoneTransfer.close()]);
      clearTimeout(deadline);
      await nameSearch.close();
      await scrub.close();
      await stores.close();
      logger.info('stopped');
      flush();
    },
  };
}

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
    riskScorer: () => riskScorer,
    clock,
    version,
    serverUrl,
  };
  try {
    await serveStdio(needs, caller, { input: process.stdin, output: process.stdout });
  } finally {
    await nameSearch.close();
    flush();
  }
}

/** Reports a long wait, and nothing of a short one. */
function everyFewSeconds(report: (done: number, all: number) => void): (done: number, all: number) => void {
  let reportedMs = performance.now();
  return (done, all) => {
    if (performance.now() - reportedMs < 5000) return;
    reportedMs = performance.now();
    report(done, all);
  };
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
      return verifyDatabases(data, check);
    },
    loadBackups: async () => (await import('./store/embedded/backup/embedded-backups.ts')).embeddedBackups,
    serveAssistant,
    startWorld: async () => {
      const { startDemoWorld } = await import('./cli/demo-world.ts');
      return startDemoWorld(clock.now());
    },
    startService,
  };
}

process.exitCode = await run(process.argv.slice(2), { version, loadNeeds });

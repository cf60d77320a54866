#!/usr/bin/env node
/** The only place that wires: settings → stores → server, and the command line around them. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Service, Stores } from './cli/needs.ts';
import { run } from './cli/run.ts';
import { readConfig } from './config.ts';
import type { Clock } from './model/clock.ts';
import { Problem } from './model/problem.ts';
import type { Settings } from './model/settings.ts';
import { openAccountStore } from './store/embedded/account-store.ts';
import { openArchiveStore } from './store/embedded/archive-store.ts';
import { openDomainStore } from './store/embedded/domain-store.ts';
import { openImageStore } from './store/embedded/image-store.ts';
import { openJobStore } from './store/embedded/job-store.ts';
import { openNameStore } from './store/embedded/name-store.ts';
import { openRiskStore } from './store/embedded/risk-store.ts';
import { openRrsetStore } from './store/embedded/rrset-store.ts';
import { openStreamStore } from './store/embedded/stream-store.ts';
import { openUsageStore } from './store/embedded/usage-store.ts';
import { openWatchlistStore } from './store/embedded/watchlist-store.ts';
import { keyVault, linkKey, openServerSecret } from './store/key-vault.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};
const clock: Clock = { now: () => Date.now() };

async function openStores(
  settings: Settings,
  { create }: { create: boolean },
  onFault: (fault: string) => void = (fault) => process.stderr.write(`${fault}\n`),
): Promise<Stores> {
  if (!create && !existsSync(join(settings.data, 'accounts.db'))) {
    throw new Problem(
      'not-found',
      `there is no data of Nameglass in ${settings.data}; --data says where it is`,
    );
  }
  mkdirSync(settings.data, { recursive: true, mode: 0o700 });
  const secret = openServerSecret(settings.data, settings.secret);
  const accounts = openAccountStore(settings.data, keyVault(secret));
  const usage = openUsageStore(settings.data);
  const rrsets = openRrsetStore(settings.data, clock);
  const streams = openStreamStore(settings.data, onFault);
  const domains = openDomainStore(settings.data, clock);
  const watchlist = openWatchlistStore(settings.data);
  const jobs = openJobStore(settings.data);
  const names = openNameStore(settings.data);
  const risks = openRiskStore(settings.data);
  const images = openImageStore(settings.data);
  return {
    accounts,
    usage,
    rrsets,
    streams,
    archives: openArchiveStore(settings.data),
    domains,
    watchlist,
    jobs,
    names,
    risks,
    images,
    linkKey: linkKey(secret),
    close: async () => {
      await images.close();
      await risks.close();
      await names.close();
      await jobs.close();
      await watchlist.close();
      await domains.close();
      await streams.close();
      await rrsets.close();
      await usage.close();
      await accounts.close();
    },
  };
}

async function startService(settings: Settings): Promise<Service> {
  // Other commands do without the server, and start faster for it.
  const { createLog } = await import('./log.ts');
  const { createMetrics } = await import('./http/metrics.ts');
  const { createServer } = await import('./http/server.ts');
  const { NameSearcher } = await import('./collect/discovery/name-searcher.ts');
  const { startPipeline } = await import('./pipeline.ts');
  const { openRiskScorer } = await import('./product/risk/open-scorer.ts');

  const { logger, line: logLine, flush } = createLog(settings, clock);
  const riskScorer = openRiskScorer(settings);
  const stores = await openStores(settings, { create: true }, (fault) => logger.error(fault));
  const readiness = { draining: false };
  const metrics = createMetrics({ process: true });
  const nameSearch = new NameSearcher();
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
  });
  const pipeline = await startPipeline({
    settings,
    stores,
    nameSearch,
    riskScorer,
    logger,
    metrics,
    clock,
  });
  const { host, port } = settings.http;
  try {
    await server.listen({ host, port });
  } catch (error) {
    await pipeline.close();
    await nameSearch.close();
    await stores.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Problem('unavailable', `port ${port} on ${host} is taken; choose another with --port N`);
  }
  const { port: bound } = server.addresses()[0] as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;

  return {
    url: `http://${shown}:${bound}`,
    stores,
    progress: () => pipeline.progress(),
    stop: async () => {
      readiness.draining = true;
      const deadline = setTimeout(
        () => server.server.closeAllConnections(),
        settings.http.drainSeconds * 1000,
      );
      await Promise.all([server.close(), pipeline.close()]);
      clearTimeout(deadline);
      await nameSearch.close();
      await stores.close();
      logger.info('stopped');
      flush();
    },
  };
}

// Whatever we write is the operator's alone.
process.umask(0o077);

process.exitCode = await run(process.argv.slice(2), {
  version,
  clock,
  readConfig: (sources) => readConfig({ ...sources, environment: process.env }),
  openStores,
  startWorld: async () => {
    const { startDemoWorld } = await import('./demo-world.ts');
    return startDemoWorld(clock.now());
  },
  startService,
});

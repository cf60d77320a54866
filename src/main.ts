#!/usr/bin/env node
/** The only place that wires: settings → stores → server, and the command line around them. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Service, Stores } from './cli/needs.ts';
import { run } from './cli/run.ts';
import type { DnstapEvent, DnstapListener } from './collect/dnstap/listener.ts';
import { readConfig } from './config.ts';
import type { Metrics } from './http/metrics.ts';
import type { Clock } from './model/clock.ts';
import { Problem } from './model/problem.ts';
import type { Settings } from './model/settings.ts';
import { openAccountStore } from './store/embedded/account-store.ts';
import { openRrsetStore } from './store/embedded/rrset-store.ts';
import { openUsageStore } from './store/embedded/usage-store.ts';
import { keyVault, openServerSecret } from './store/key-vault.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};
const clock: Clock = { now: () => Date.now() };
const pruneIntervalMs = 60_000;

async function openStores(settings: Settings, { create }: { create: boolean }): Promise<Stores> {
  if (!create && !existsSync(join(settings.data, 'accounts.db'))) {
    throw new Problem(
      'not-found',
      `there is no data of Nameglass in ${settings.data}; --data says where it is`,
    );
  }
  mkdirSync(settings.data, { recursive: true, mode: 0o700 });
  const vault = keyVault(openServerSecret(settings.data, settings.secret));
  const accounts = openAccountStore(settings.data, vault);
  const usage = openUsageStore(settings.data);
  const rrsets = openRrsetStore(settings.data, clock);
  return {
    accounts,
    usage,
    rrsets,
    close: async () => {
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

  const { logger, line: logLine, flush } = createLog(settings, clock);
  const stores = await openStores(settings, { create: true });
  const readiness = { draining: false };
  const metrics = createMetrics({ process: true });
  const server = await createServer({
    ...stores,
    settings,
    logger,
    logLine,
    metrics,
    readiness,
    clock,
    version,
  });
  const pruning = setInterval(() => {
    stores.usage.prune(clock.now()).catch((error: unknown) => logger.error({ err: error }, 'pruning failed'));
  }, pruneIntervalMs).unref();

  const sensor = await startSensor(settings, stores, logger, metrics);
  const { host, port } = settings.http;
  try {
    await server.listen({ host, port });
  } catch (error) {
    await sensor?.close();
    await stores.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Problem('unavailable', `port ${port} on ${host} is taken; choose another with --port N`);
  }
  const { port: bound } = server.addresses()[0] as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;

  return {
    url: `http://${shown}:${bound}`,
    stores,
    stop: async () => {
      readiness.draining = true;
      clearInterval(pruning);
      const deadline = setTimeout(
        () => server.server.closeAllConnections(),
        settings.http.drainSeconds * 1000,
      );
      await Promise.all([server.close(), sensor?.close()]);
      clearTimeout(deadline);
      await stores.close();
      logger.info('stopped');
      flush();
    },
  };
}

/** Where resolvers bring what they see, if the settings say so. */
async function startSensor(
  { dnstap, pdns, role }: Settings,
  { rrsets }: Stores,
  logger: Logger,
  metrics: Metrics,
): Promise<DnstapListener | undefined> {
  if (role === 'api' || (dnstap.socket === '' && dnstap.port === 0)) return undefined;
  const { listenDnstap } = await import('./collect/dnstap/listener.ts');
  const { foldingIntake } = await import('./collect/wildcard-folding.ts');
  const intake = await rrsets.openIntake();
  const { socket, host, port, kinds, flushSeconds, connectionsMax } = dnstap;
  const listener = await listenDnstap(
    {
      ...(socket === '' ? {} : { unixPath: socket }),
      ...(port === 0 ? {} : { host, port }),
      kinds,
      flushSeconds,
      connectionsMax,
    },
    {
      intake: pdns.foldWildcards ? foldingIntake(intake) : intake,
      clock,
      report: (event) => logDnstap(logger, event),
    },
  );
  metrics.watch('nameglass_dnstap', 'What resolvers brought over dnstap.', () => ({
    ...listener.statistics(),
  }));
  return listener;
}

function logDnstap(logger: Logger, event: DnstapEvent): void {
  if (event.event === 'failed') logger.error({ err: event.error }, 'dnstap: failed');
  else if (event.event === 'refused' || event.event === 'malformed-frame') {
    logger.warn({ ...event, event: undefined }, `dnstap: ${event.event}`);
  } else logger.info({ ...event, event: undefined }, `dnstap: ${event.event}`);
}

process.exitCode = await run(process.argv.slice(2), {
  version,
  clock,
  readConfig: (sources) => readConfig({ ...sources, environment: process.env }),
  openStores,
  startService,
});

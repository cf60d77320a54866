#!/usr/bin/env node
/** The only place that wires: settings → stores → server, and the command line around them. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Service, Stores } from './cli/needs.ts';
import { run } from './cli/run.ts';
import type { Discovery } from './collect/discovery/discovery.ts';
import type { NameSearcher } from './collect/discovery/name-searcher.ts';
import type { DnstapEvent, DnstapListener } from './collect/dnstap/listener.ts';
import type { Teller } from './collect/news/teller.ts';
import { readConfig } from './config.ts';
import type { Metrics } from './http/metrics.ts';
import type { Clock } from './model/clock.ts';
import { Problem } from './model/problem.ts';
import type { Settings } from './model/settings.ts';
import type { Deliveries } from './product/detect/deliveries.ts';
import { openAccountStore } from './store/embedded/account-store.ts';
import { openArchiveStore } from './store/embedded/archive-store.ts';
import { openDomainStore } from './store/embedded/domain-store.ts';
import { openJobStore } from './store/embedded/job-store.ts';
import { openRrsetStore } from './store/embedded/rrset-store.ts';
import { openStreamStore } from './store/embedded/stream-store.ts';
import { openUsageStore } from './store/embedded/usage-store.ts';
import { openWatchlistStore } from './store/embedded/watchlist-store.ts';
import { keyVault, linkKey, openServerSecret } from './store/key-vault.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};
const clock: Clock = { now: () => Date.now() };
const maintenanceMs = 60_000;
/** A request that is repeated later than this counts as another. */
const idempotencyMs = 7 * 86_400_000;

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
  return {
    accounts,
    usage,
    rrsets,
    streams,
    archives: openArchiveStore(settings.data),
    domains,
    watchlist,
    jobs,
    linkKey: linkKey(secret),
    close: async () => {
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

  const { logger, line: logLine, flush } = createLog(settings, clock);
  const stores = await openStores(settings, { create: true }, (fault) => logger.error(fault));
  const readiness = { draining: false };
  const metrics = createMetrics({ process: true });
  const nameSearch = new NameSearcher();
  const server = await createServer({
    ...stores,
    nameSearch,
    settings,
    logger,
    logLine,
    metrics,
    readiness,
    clock,
    version,
  });
  const maintenance = await startMaintenance(settings, stores, logger);
  const sensor = await startSensor(settings, stores, logger, metrics);
  const teller = await startNews(settings, stores, logger, metrics);
  const discovery = await startDiscovery(settings, stores, nameSearch, logger, metrics);
  const deliveries = await startDeliveries(settings, stores, logger, metrics);
  const { host, port } = settings.http;
  try {
    await server.listen({ host, port });
  } catch (error) {
    await Promise.all([
      sensor?.close(),
      teller?.close(),
      discovery?.close(),
      deliveries?.close(),
      maintenance.close(),
    ]);
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
    stop: async () => {
      readiness.draining = true;
      const deadline = setTimeout(
        () => server.server.closeAllConnections(),
        settings.http.drainSeconds * 1000,
      );
      await Promise.all([
        server.close(),
        sensor?.close(),
        teller?.close(),
        discovery?.close(),
        deliveries?.close(),
        maintenance.close(),
      ]);
      clearTimeout(deadline);
      await nameSearch.close();
      await stores.close();
      logger.info('stopped');
      flush();
    },
  };
}

/** Every minute: hours that are over are archived, and then what is too old goes. */
async function startMaintenance(settings: Settings, stores: Stores, logger: Logger) {
  const { ArchiveMaker } = await import('./product/download/make-archives.ts');
  const { pruneChannels } = await import('./product/batch/retention.ts');
  const { pruneFeeds } = await import('./product/feed/prune.ts');
  const { usage, streams, watchlist } = stores;
  const needs = { ...stores, settings, clock };
  const archives = new ArchiveMaker(needs);
  const maintain = async () => {
    await usage.prune(clock.now());
    if (settings.role === 'api') return;
    await pruneChannels(needs, clock.now());
    await streams.removeIdleMarks('ingest:', clock.now() - idempotencyMs);
    // What could not be archived is kept a while longer.
    await archives.run();
    await pruneFeeds(needs, clock.now());
    await watchlist.pruneEvents(clock.now() - settings.detect.eventDays * 86_400_000);
  };
  let running: Promise<void> | undefined;
  let stopping = false;
  const timer = setInterval(() => {
    running ??= maintain()
      .catch((error: unknown) => {
        // What a stop has broken off is taken up by the next start.
        if (!stopping) logger.error({ err: error }, 'maintenance failed');
      })
      .finally(() => {
        running = undefined;
      });
  }, maintenanceMs).unref();
  return {
    close: async () => {
      stopping = true;
      clearInterval(timer);
      await archives.close();
      await running;
    },
  };
}

/** Tells what is new in passive DNS, from sensors and from imports beside us. */
async function startNews(
  settings: Settings,
  { rrsets, streams }: Stores,
  logger: Logger,
  metrics: Metrics,
): Promise<Teller | undefined> {
  if (settings.role === 'api') return undefined;
  const { startTeller } = await import('./collect/news/teller.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'news: telling failed');
  const teller = startTeller({ rrsets, streams, clock, settings, onFailure });
  metrics.watch('nameglass_news', 'What of passive DNS was told as new.', () => ({ ...teller.statistics() }));
  return teller;
}

/** Finds lookalikes for monitors, and follows what becomes of them. */
async function startDiscovery(
  settings: Settings,
  stores: Stores,
  nameSearch: NameSearcher,
  logger: Logger,
  metrics: Metrics,
): Promise<Discovery | undefined> {
  if (settings.role === 'api') return undefined;
  const { startDiscovery: start } = await import('./collect/discovery/discovery.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'discovery: failed');
  const discovery = start({ ...stores, nameSearch, clock, onFailure });
  metrics.watch(
    'nameglass_discovery',
    'What was found for monitors, and what is still to be searched.',
    () => ({
      ...discovery.statistics(),
    }),
  );
  return discovery;
}

/** Tells receivers outside what happens on watchlists, and submits what was escalated. */
async function startDeliveries(
  settings: Settings,
  stores: Stores,
  logger: Logger,
  metrics: Metrics,
): Promise<Deliveries | undefined> {
  if (settings.role === 'api') return undefined;
  const { createDialer } = await import('./outgoing/guarded-dialer.ts');
  const { mailSender } = await import('./outgoing/send-mail.ts');
  const { startDeliveries: start } = await import('./product/detect/deliveries.ts');
  const { allow } = settings.outgoing;
  if (allow.length > 0) logger.warn({ allow }, 'outgoing.allow opens addresses that are not of the Internet');
  const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
  const deliveries = start({
    ...stores,
    dialer: createDialer({ settings }),
    sendMail: mailSender({ settings, timeoutMs }),
    clock,
    settings,
    onFailure: (error) => logger.error({ err: error }, 'deliveries: failed'),
  });
  metrics.watch('nameglass_deliveries', 'What was told to receivers outside.', () => ({
    ...deliveries.statistics(),
  }));
  return deliveries;
}

/** Where resolvers bring what they see, if the settings say so. */
async function startSensor(
  settings: Settings,
  { rrsets, streams }: Stores,
  logger: Logger,
  metrics: Metrics,
): Promise<DnstapListener | undefined> {
  const { dnstap, pdns, role } = settings;
  if (role === 'api' || (dnstap.socket === '' && dnstap.port === 0)) return undefined;
  const { listenDnstap } = await import('./collect/dnstap/listener.ts');
  const { foldingIntake } = await import('./collect/wildcard-folding.ts');
  const { openErrorIntake } = await import('./collect/dns-errors/error-intake.ts');
  const intake = await rrsets.openIntake({ news: true });
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
      errors: await openErrorIntake({ streams, clock, settings }),
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

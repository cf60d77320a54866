/**
 * What runs behind the server for as long as it runs: data comes in, is told on, searched, looked at and tidied up. Each stage is started
 * here, with what it needs and a line in the log when it fails; which of them run is a matter of the settings.
 */
import type { Logger } from 'pino';
import type { Progress, Stores } from './cli/needs.ts';
import type { Discovery } from './collect/discovery/discovery.ts';
import type { NameSearcher } from './collect/discovery/name-searcher.ts';
import type { DnstapEvent, DnstapListener } from './collect/dnstap/listener.ts';
import type { Teller } from './collect/news/teller.ts';
import type { Scoring } from './collect/scoring/scoring.ts';
import type { AddressScoring } from './collect/scoring-addresses/start-address-scoring.ts';
import { startCollection } from './collection.ts';
import type { Metrics } from './http/metrics.ts';
import type { Clock } from './model/clock.ts';
import type { RiskScorer } from './model/risk/risk-scorer.ts';
import type { Settings } from './model/settings.ts';
import type { Deliveries } from './product/detect/deliveries.ts';

export interface PipelineNeeds {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly nameSearch: NameSearcher;
  readonly riskScorer: RiskScorer;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

export interface Pipeline {
  progress(): Progress;
  close(): Promise<void>;
}

const maintenanceMs = 60_000;
/** A request that is repeated later than this counts as another. */
const idempotencyMs = 7 * 86_400_000;

export async function startPipeline(needs: PipelineNeeds): Promise<Pipeline> {
  await watchJobs(needs);
  const maintenance = await startMaintenance(needs);
  const sensor = await startSensor(needs);
  const teller = await startNews(needs);
  const discovery = await startDiscovery(needs);
  const scoring = await startScoring(needs);
  const addresses = await startAddresses(needs);
  const deliveries = await startDeliveries(needs);
  const collection = needs.settings.role === 'api' ? undefined : await startCollection(needs);
  const stages = [sensor, teller, discovery, scoring, addresses, deliveries, collection, maintenance];
  return {
    progress: () => {
      const { fresh = 0, looked = 0, pictures = 0 } = collection?.statistics() ?? {};
      const lookalikes = discovery?.statistics().discovered ?? 0;
      const rrsets = teller?.statistics().rrsets ?? 0;
      return { discovered: fresh, looked, lookalikes, pictures, rrsets };
    },
    close: async () => {
      await Promise.all(stages.map(async (stage) => stage?.close()));
    },
  };
}

/** All work that is due at a time, whoever does it. */
async function watchJobs({ stores, metrics, clock }: PipelineNeeds): Promise<void> {
  const { workOnWatched } = await import('./model/detect/watched-work.ts');
  const { scoringKinds } = await import('./collect/scoring/scoring-stages.ts');
  const { addressKinds } = await import('./collect/scoring-addresses/address-job.ts');
  const kinds = [...workOnWatched, ...scoringKinds, ...addressKinds];
  metrics.watch('nameglass_jobs', 'Jobs that are due, wait for their time, or are under way.', async () => {
    const nowMs = clock.now();
    const counted = await Promise.all(
      kinds.map(async (kind) =>
        Object.entries(await stores.jobs.statistics(kind, nowMs)).map(
          ([state, count]) => [`${kind}_${state}`, count] as const,
        ),
      ),
    );
    return Object.fromEntries(counted.flat());
  });
}

/** Every minute: hours that are over are archived, and then what is too old goes. */
async function startMaintenance({ settings, stores, logger, clock }: PipelineNeeds) {
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
async function startNews(needs: PipelineNeeds): Promise<Teller | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  const { rrsets, streams } = stores;
  if (settings.role === 'api') return undefined;
  const { startTeller } = await import('./collect/news/teller.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'news: telling failed');
  const teller = startTeller({ rrsets, streams, clock, settings, onFailure });
  metrics.watch('nameglass_news', 'What of passive DNS was told as new.', () => ({ ...teller.statistics() }));
  return teller;
}

/** Finds lookalikes for monitors, and follows what becomes of them. */
async function startDiscovery(needs: PipelineNeeds): Promise<Discovery | undefined> {
  const { settings, stores, nameSearch, riskScorer: scorer, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startDiscovery: start } = await import('./collect/discovery/discovery.ts');
  const { assessUnscored } = await import('./collect/scoring/assess-unscored.ts');
  const assess = (domains: readonly string[]) =>
    assessUnscored(domains, { ...stores, settings, scorer, clock });
  const onFailure = (error: unknown) => logger.error({ err: error }, 'discovery: failed');
  const discovery = start({ ...stores, nameSearch, clock, assess, onFailure });
  metrics.watch(
    'nameglass_discovery',
    'What was found for monitors, and what is still to be searched.',
    () => ({
      ...discovery.statistics(),
    }),
  );
  return discovery;
}

/** Scores domains as they are discovered and whenever something is learnt of them, and tells the risk feeds. */
async function startScoring(needs: PipelineNeeds): Promise<Scoring | undefined> {
  const { settings, stores, riskScorer: scorer, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startScoring: start } = await import('./collect/scoring/scoring.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'scoring: failed');
  const scoring = start({ ...stores, settings, scorer, clock, onFailure });
  metrics.watch('nameglass_risk', 'Domains that were scored, and what was told of them.', () => ({
    ...scoring.statistics(),
  }));
  return scoring;
}

/** Scores addresses of bad domains, and tells the feeds of addresses. */
async function startAddresses(needs: PipelineNeeds): Promise<AddressScoring | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startAddressScoring } = await import('./collect/scoring-addresses/start-address-scoring.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'scoring of addresses: failed');
  const addresses = startAddressScoring({ ...stores, settings, clock, onFailure });
  metrics.watch('nameglass_address_risk', 'Addresses that were scored, and what was told of them.', () => ({
    ...addresses.statistics(),
  }));
  return addresses;
}

/** Tells receivers outside what happens on watchlists, and submits what was escalated. */
async function startDeliveries(needs: PipelineNeeds): Promise<Deliveries | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
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
async function startSensor(needs: PipelineNeeds): Promise<DnstapListener | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  const { rrsets, streams } = stores;
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

/**
 * Starts the stages that run in the background of a server: ingestion, publishing, discovery, scoring, deliveries, collection, maintenance. Each
 * gets its needs, a log message for failures and its metrics; the settings decide which stages run.
 */

import type { Logger } from 'pino';
import type { DnstapEvent, DnstapListener } from '../collect/dnstap/listener.ts';
import { EarliestNow } from '../concurrency/earliest-now.ts';
import { dayMs, minuteMs, weekMs } from '../model/durations.ts';
import type { Deliveries } from '../product/detect/deliveries.ts';
import { DamagedData } from '../store/damage.ts';
import type { AddressScoring } from './address-scoring/start-address-scoring.ts';
import type { Discovery } from './discovery/start-discovery.ts';
import type { PipelineNeeds } from './pipeline-needs.ts';
import type { Progress } from './progress.ts';
import type { ObservationPublisher } from './publishing/observation-publisher.ts';
import type { Scoring } from './scoring/start-scoring.ts';
import { startCollection } from './start-collection.ts';

export interface Pipeline {
  progress(): Progress;
  close(): Promise<void>;
}

const maintenanceMs = minuteMs;
/** How long idempotency keys of ingest requests are kept. */
const idempotencyMs = weekMs;

export async function startPipeline(needs: PipelineNeeds): Promise<Pipeline> {
  await registerJobMetrics(needs);
  const maintenance = await startMaintenance(needs);
  const sensor = await startSensor(needs);
  const publisher = await startPublisher(needs);
  const discovery = await startDiscovery(needs);
  const scoring = await startScoring(needs);
  const addresses = await startAddresses(needs);
  const deliveries = await startDeliveries(needs);
  const collection = needs.settings.role === 'api' ? undefined : await startCollection(needs);
  const stages = [sensor, publisher, discovery, scoring, addresses, deliveries, collection, maintenance];
  return {
    progress: () => {
      const { discovered = 0, collected = 0, screenshots = 0 } = collection?.progress() ?? {};
      const lookalikes = discovery?.statistics().discovered ?? 0;
      const rrsets = publisher?.statistics().rrsets ?? 0;
      return { discovered, collected, lookalikes, screenshots, rrsets };
    },
    close: async () => {
      await Promise.all(stages.map(async (stage) => stage?.close()));
    },
  };
}

async function registerJobMetrics({ stores, metrics, clock }: PipelineNeeds): Promise<void> {
  const { watchedJobKinds } = await import('../model/detect/watched-jobs.ts');
  const { scoringKinds } = await import('./scoring/scoring-stages.ts');
  const { addressKinds } = await import('./address-scoring/address-job.ts');
  const kinds = [...watchedJobKinds, ...scoringKinds, ...addressKinds];
  metrics.watch(
    'nameglass_jobs',
    'Jobs by kind and state: due, waiting for their time, leased.',
    async () => {
      const nowMs = clock.now();
      const counted = await Promise.all(
        kinds.map(async (kind) =>
          Object.entries(await stores.jobs.statistics(kind, nowMs)).map(
            ([state, count]) => [`${kind}_${state}`, count] as const,
          ),
        ),
      );
      return Object.fromEntries(counted.flat());
    },
  );
}

/** Every minute: archives completed hours, then prunes what is past its retention. */
async function startMaintenance({ settings, stores, logger, clock }: PipelineNeeds) {
  const { ArchiveMaker } = await import('../product/download/make-archives.ts');
  const { pruneChannels } = await import('../product/batch/retention.ts');
  const { pruneFeeds } = await import('../product/feed/prune-feeds.ts');
  const { sessionLimits } = await import('../product/people/sessions.ts');
  const { usage, sessions, streams, events, watchlist, freeSpace } = stores;
  const needs = { ...stores, settings, clock };
  const archives = new ArchiveMaker(needs);
  const earliestNow = new EarliestNow();
  /** Damaged records of one feed must not stop the retention of all. */
  const logDamage = (error: unknown) => {
    if (!(error instanceof DamagedData)) throw error;
    logger.error({ err: error }, 'an archive was not made');
  };
  const maintain = async () => {
    await usage.pruneUsage(clock.now());
    if (settings.role === 'api') return;
    // A clock that is ahead for a while must not cost data that is not old.
    const nowMs = earliestNow.read(clock.now());
    await sessions.pruneSessions(nowMs, sessionLimits(settings));
    await pruneChannels(needs, nowMs);
    await streams.removeIdleProducerMarks('ingest:', nowMs - idempotencyMs);
    // Before pruning, which keeps what could not be archived.
    if (freeSpace.hasRoom()) await archives.run().catch(logDamage);
    await pruneFeeds(needs, nowMs);
    await events.pruneEvents(nowMs - settings.detect.eventDays * dayMs);
    await watchlist.pruneUnmatchedDomains(nowMs);
  };
  let running: Promise<void> | undefined;
  let stopping = false;
  const timer = setInterval(() => {
    running ??= maintain()
      .catch((error: unknown) => {
        // A shutdown interrupts it; the next start resumes.
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

/** Publishes newly observed RRsets, from sensors and from imports by other processes. */
async function startPublisher(needs: PipelineNeeds): Promise<ObservationPublisher | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  const { rrsets, streams, freeSpace } = stores;
  if (settings.role === 'api') return undefined;
  const { startObservationPublisher } = await import('./publishing/observation-publisher.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'publishing observations failed');
  const publisher = startObservationPublisher({
    rrsets,
    streams,
    freeSpace,
    clock,
    settings,
    onFailure,
  });
  metrics.watch('nameglass_publisher', 'Newly observed RRsets published on feeds and channels.', () => ({
    ...publisher.statistics(),
  }));
  return publisher;
}

/** Finds lookalikes for monitors, and follows changes of the domains found. */
async function startDiscovery(needs: PipelineNeeds): Promise<Discovery | undefined> {
  const { settings, stores, nameSearch, riskScorer: scorer, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startDiscovery: start } = await import('./discovery/start-discovery.ts');
  const { assessUnscored } = await import('./scoring/assess-unscored.ts');
  const assess = (domains: readonly string[]) =>
    assessUnscored(domains, { ...stores, settings, scorer, clock });
  const onFailure = (error: unknown) => logger.error({ err: error }, 'discovery failed');
  const discovery = start({ ...stores, nameSearch, clock, assess, onFailure });
  metrics.watch(
    'nameglass_discovery',
    'Names matched, domains discovered for monitors, and the backlog.',
    () => ({
      ...discovery.statistics(),
    }),
  );
  return discovery;
}

/** Scores domains when they are discovered and when their facts change, and publishes the scores. */
async function startScoring(needs: PipelineNeeds): Promise<Scoring | undefined> {
  const { settings, stores, riskScorer: scorer, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startScoring: start } = await import('./scoring/start-scoring.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'scoring domains failed');
  const onStoredScoring = (state: 'begun' | 'finished', progress: object) => {
    if (state === 'begun')
      logger.info(
        progress,
        'scoring stored records that have no score of the current risk model and settings',
      );
    else
      logger.info(
        progress,
        'all stored records have scores of the current risk model and settings, or jobs to get them',
      );
  };
  const scoring = start({ ...stores, settings, scorer, clock, onFailure, onStoredScoring });
  metrics.watch('nameglass_risk', 'Domains scored, and lines published on the risk feeds.', () => ({
    ...scoring.statistics(),
  }));
  return scoring;
}

/** Scores the addresses of bad domains, and publishes the scores. */
async function startAddresses(needs: PipelineNeeds): Promise<AddressScoring | undefined> {
  const { settings, stores, riskScorer: zerolist, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startAddressScoring } = await import('./address-scoring/start-address-scoring.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'scoring addresses failed');
  const addresses = startAddressScoring({ ...stores, settings, zerolist, clock, onFailure });
  metrics.watch(
    'nameglass_address_risk',
    'Addresses scored, and lines published on the address feeds.',
    () => ({
      ...addresses.statistics(),
    }),
  );
  return addresses;
}

/** Delivers events of watchlists to webhooks and by mail, and submits escalations. */
async function startDeliveries(needs: PipelineNeeds): Promise<Deliveries | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { createDialer } = await import('../outgoing/guarded-dialer.ts');
  const { mailSender } = await import('../outgoing/send-mail.ts');
  const { startDeliveries: start } = await import('../product/detect/deliveries.ts');
  const { allow } = settings.outgoing;
  if (allow.length > 0) logger.warn({ allow }, 'outgoing.allow permits connections to non-public addresses');
  const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
  const deliveries = start({
    ...stores,
    dialer: createDialer({ settings }),
    sendMail: mailSender({ settings, timeoutMs }),
    clock,
    settings,
    onFailure: (error) => logger.error({ err: error }, 'delivery failed'),
  });
  metrics.watch(
    'nameglass_deliveries',
    'Events delivered to webhooks and by mail, and escalations submitted.',
    () => ({
      ...deliveries.statistics(),
    }),
  );
  return deliveries;
}

/** Listens for dnstap from resolvers, if the settings say so. */
async function startSensor(needs: PipelineNeeds): Promise<DnstapListener | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  const { rrsets, streams } = stores;
  const { dnstap, pdns, role } = settings;
  if (role === 'api' || (dnstap.socket === '' && dnstap.port === 0)) return undefined;
  const { listenDnstap } = await import('../collect/dnstap/listener.ts');
  const { pausedIntake } = await import('../collect/dnstap/paused-intake.ts');
  const { foldingIntake } = await import('../collect/wildcard-folding.ts');
  const { openErrorIntake } = await import('../collect/dns-errors/error-intake.ts');
  const stopping = new AbortController();
  const opened = await rrsets.openIntake({ publish: true });
  const intake = pausedIntake(opened, stores.freeSpace, stopping.signal);
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
  metrics.watch('nameglass_dnstap', 'Frames and observations received over dnstap.', () => ({
    ...listener.statistics(),
  }));
  return {
    port: listener.port,
    statistics: () => listener.statistics(),
    close: () => {
      stopping.abort();
      return listener.close();
    },
  };
}

function logDnstap(logger: Logger, event: DnstapEvent): void {
  if (event.event === 'failed') logger.error({ err: event.error }, 'dnstap: failed');
  else if (event.event === 'refused' || event.event === 'malformed-frame') {
    logger.warn({ ...event, event: undefined }, `dnstap: ${event.event}`);
  } else logger.info({ ...event, event: undefined }, `dnstap: ${event.event}`);
}

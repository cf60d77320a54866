/**
 * Starts the stages that run in the background of a server: ingestion, publishing, discovery, scoring, deliveries, collection, maintenance. Each
 * gets its needs, a log message for failures and its metrics; the settings decide which stages run.
 */

import { useLongSlices } from '../concurrency/event-loop-slices.ts';
import { processName as nameOf } from '../model/health/process-name.ts';
import type { Settings } from '../model/settings/settings.ts';
import type { Deliveries } from '../product/detect/deliveries.ts';
import type { AddressScoring } from './address-scoring/start-address-scoring.ts';
import { watchBacklog } from './backlog.ts';
import type { CampaignStage } from './campaigns/start-campaigns.ts';
import type { Discovery } from './discovery/start-discovery.ts';
import { HealthReporter } from './health/health-reporter.ts';
import { registerPartMetrics } from './health/part-metrics.ts';
import type { PipelineNeeds, StageNeeds } from './pipeline-needs.ts';
import type { Progress } from './progress.ts';
import type { ObservationPublisher } from './publishing/observation-publisher.ts';
import type { Scoring } from './scoring/start-scoring.ts';
import { startCollection } from './start-collection.ts';
import { startMaintenance } from './start-maintenance.ts';
import { startSensor } from './start-sensor.ts';

export interface Pipeline {
  progress(): Progress;
  close(): Promise<void>;
}

export async function startPipeline(pipelineNeeds: PipelineNeeds): Promise<Pipeline> {
  const health = healthReporterOf(pipelineNeeds);
  const needs: StageNeeds = { ...pipelineNeeds, health };
  if (needs.answersRequests === false) useLongSlices();
  await registerJobMetrics(needs);
  const maintenance = await startMaintenance(needs);
  const sensor = await startSensor(needs);
  const publisher = await startPublisher(needs);
  const discovery = await startDiscovery(needs);
  const scoring = await startScoring(needs);
  const addresses = await startAddresses(needs);
  const campaigns = await startCampaigns(needs);
  const deliveries = await startDeliveries(needs);
  const backlog = watchBacklog({ sensor, publisher, onFirst: () => needs.onFirstBacklog?.() });
  // Domains can be collected later.
  const givesWay = () => backlog.exists();
  const collection = needs.settings.role === 'api' ? undefined : await startCollection(needs, givesWay);
  const stages = [
    sensor,
    publisher,
    discovery,
    scoring,
    addresses,
    campaigns,
    deliveries,
    collection,
    maintenance,
    health,
  ];
  // One that answers on its own has nothing to report but itself, which matters among several nodes.
  const { role, store } = needs.settings;
  if (role !== 'api' || needs.processName !== undefined || store.kind === 'distributed') health.start();
  return {
    progress: () => {
      const { discovered = 0, collected = 0, screenshots = 0 } = collection?.progress() ?? {};
      const lookalikes = discovery?.statistics().discovered ?? 0;
      const rrsets = publisher?.statistics().rrsets ?? 0;
      return { discovered, collected, lookalikes, screenshots, rrsets };
    },
    close: async () => {
      backlog.close();
      await Promise.all(stages.map(async (stage) => stage?.close()));
    },
  };
}

function healthReporterOf({
  settings,
  stores,
  logger,
  metrics,
  clock,
  version,
  node,
  processName,
}: PipelineNeeds): HealthReporter {
  const { role } = settings;
  const health = new HealthReporter({
    health: stores.health,
    clock,
    process: processName ?? nameOf(role, node, process.pid, clock.now()),
    node,
    role,
    version,
    onFailure: (error) => logger.error({ err: error }, 'saving the health report failed'),
  });
  registerPartMetrics(health, metrics, clock);
  return health;
}

async function registerJobMetrics({ stores, metrics, clock, health }: StageNeeds): Promise<void> {
  const { watchedJobKinds } = await import('../model/detect/watched-jobs.ts');
  const { scoringKinds } = await import('./scoring/scoring-stages.ts');
  const { addressKinds } = await import('./address-scoring/address-job.ts');
  const kinds = [...watchedJobKinds, ...scoringKinds, ...addressKinds];
  health.jobKinds = kinds;
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

/** Publishes newly observed RRsets, from sensors and from imports by other processes. */
async function startPublisher(needs: StageNeeds): Promise<ObservationPublisher | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  const { rrsets, streams, freeSpace, sightings, jobs } = stores;
  if (settings.role === 'api') return undefined;
  const { startObservationPublisher } = await import('./publishing/observation-publisher.ts');
  const { sightingConsumer } = await import('./publishing/sighting-consumer.ts');
  const { readPastSightings } = await import('./publishing/past-sightings.ts');
  const part = needs.health.part({ kind: 'stage', name: 'publishing', unit: 'rrsets' });
  const onFailure = (error: unknown) => {
    part.fail(error);
    logger.error({ err: error }, 'publishing observations failed');
  };
  const publisher = startObservationPublisher({
    rrsets,
    streams,
    freeSpace,
    clock,
    settings,
    onFailure,
    sighted: sightingConsumer({ sightings, jobs, clock, settings }),
    readPast: (signal) =>
      readPastSightings({ sightings, rrsets, clock, readsPassiveDns: readsPast(settings) }, signal),
  });
  part.countBy(() => publisher.statistics().rrsets);
  metrics.watch('nameglass_publisher', 'Newly observed RRsets published on feeds and channels.', () => ({
    ...publisher.statistics(),
  }));
  return publisher;
}

/** Finds lookalikes for monitors, and follows changes of the domains found. */
async function startDiscovery(needs: StageNeeds): Promise<Discovery | undefined> {
  const { settings, stores, nameSearch, riskScorer: scorer, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startDiscovery: start } = await import('./discovery/start-discovery.ts');
  const { assessUnscored } = await import('./scoring/assess-unscored.ts');
  const assess = (domains: readonly string[]) =>
    assessUnscored(domains, { ...stores, settings, scorer, clock });
  const part = needs.health.part({ kind: 'stage', name: 'discovery', unit: 'names' });
  const onFailure = (error: unknown) => {
    part.fail(error);
    logger.error({ err: error }, 'discovery failed');
  };
  const discovery = start({ ...stores, nameSearch, clock, assess, onFailure });
  part.countBy(() => discovery.statistics().names);
  metrics.watch(
    'nameglass_discovery',
    'Names matched, domains discovered for monitors, and the backlog.',
    () => ({
      ...discovery.statistics(),
    }),
  );
  return discovery;
}

function readsPast(settings: Settings): boolean {
  return settings.sightings.pastFromPassiveDns && hasPassiveDns(settings);
}

/** Unless it is in files of another node. */
function hasPassiveDns({ store }: Pick<Settings, 'store'>): boolean {
  return store.kind === 'embedded' || store.passiveDns !== 'other-node';
}

/** Scores domains when they are discovered and when their facts change, and publishes the scores. */
async function startScoring(needs: StageNeeds): Promise<Scoring | undefined> {
  const { settings, stores, riskScorer: scorer, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startScoring: start } = await import('./scoring/start-scoring.ts');
  const part = needs.health.part({ kind: 'stage', name: 'scoring', unit: 'domains' });
  const onFailure = (error: unknown) => {
    part.fail(error);
    logger.error({ err: error }, 'scoring domains failed');
  };
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
  const rrsets = hasPassiveDns(settings) ? stores.rrsets : undefined;
  const scoring = start({ ...stores, rrsets, settings, scorer, clock, onFailure, onStoredScoring });
  part.countBy(() => scoring.statistics().scored);
  metrics.watch('nameglass_risk', 'Domains scored, and lines published on the risk feeds.', () => ({
    ...scoring.statistics(),
  }));
  return scoring;
}

/** Scores the addresses of bad domains, and publishes the scores. */
async function startAddresses(needs: StageNeeds): Promise<AddressScoring | undefined> {
  const { settings, stores, riskScorer: zerolist, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startAddressScoring } = await import('./address-scoring/start-address-scoring.ts');
  const described = { kind: 'stage', name: 'address scoring', unit: 'addresses' } as const;
  if (!hasPassiveDns(settings)) {
    needs.health.part({ ...described, off: 'passive DNS, which it reads, is on another node' });
    return undefined;
  }
  const part = needs.health.part(described);
  const onFailure = (error: unknown) => {
    part.fail(error);
    logger.error({ err: error }, 'scoring addresses failed');
  };
  const addresses = startAddressScoring({ ...stores, settings, zerolist, clock, onFailure });
  part.countBy(() => addresses.statistics().done);
  metrics.watch(
    'nameglass_address_risk',
    'Addresses scored, and lines published on the address feeds.',
    () => ({
      ...addresses.statistics(),
    }),
  );
  return addresses;
}

/** Finds campaigns among the domains on watchlists. */
async function startCampaigns(needs: StageNeeds): Promise<CampaignStage | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { startCampaigns: start } = await import('./campaigns/start-campaigns.ts');
  const part = needs.health.part({ kind: 'stage', name: 'campaigns', unit: 'domains' });
  const campaigns = start({
    ...stores,
    settings,
    clock,
    onMerged: (account, merged) =>
      logger.info({ account, merged }, 'campaigns that grew together were merged into the oldest'),
    onFailure: (error) => {
      part.fail(error);
      logger.error({ err: error }, 'finding campaigns failed');
    },
  });
  part.countBy(() => campaigns.statistics().read);
  metrics.watch(
    'nameglass_campaigns',
    'Domains whose links were read, campaigns found, members joined.',
    () => ({
      ...campaigns.statistics(),
    }),
  );
  return campaigns;
}

/** Delivers events of watchlists to webhooks, to syslog and by mail, and submits escalations. */
async function startDeliveries(needs: StageNeeds): Promise<Deliveries | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  if (settings.role === 'api') return undefined;
  const { createDialer } = await import('../outgoing/guarded-dialer.ts');
  const { mailSender } = await import('../outgoing/send-mail.ts');
  const { startDeliveries: start } = await import('../product/detect/deliveries.ts');
  const { allow } = settings.outgoing;
  if (allow.length > 0) logger.warn({ allow }, 'outgoing.allow permits connections to non-public addresses');
  const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
  const part = needs.health.part({ kind: 'stage', name: 'deliveries', unit: 'deliveries' });
  const deliveries = start({
    ...stores,
    dialer: createDialer({ settings }),
    sendMail: mailSender({ settings, timeoutMs }),
    clock,
    settings,
    onFailure: (error) => {
      part.fail(error);
      logger.error({ err: error }, 'delivery failed');
    },
  });
  part.countBy(() => {
    const { submissions, webhooks, syslog, digests } = deliveries.statistics();
    return submissions + webhooks + syslog + digests;
  });
  metrics.watch(
    'nameglass_deliveries',
    'Events delivered to webhooks, to syslog and by mail, and escalations submitted.',
    () => ({
      ...deliveries.statistics(),
    }),
  );
  return deliveries;
}

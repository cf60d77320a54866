/** Builds the service from settings, stores, server and pipeline, as far as its role asks for them. */
import type { Logger } from 'pino';
import type { Service } from '../cli/needs.ts';
import type { Clock } from '../model/clock.ts';
import type { Settings } from '../model/settings/settings.ts';
import type { StartCheck } from '../store/embedded/verify/check-at-start.ts';
import type { SpaceState } from '../store/free-space.ts';
import type { Stores } from '../stores.ts';
import type { SupervisedRole } from '../supervisor/messages.ts';
import type { SupervisorLink } from '../supervisor/supervisor-link.ts';
import { endStart, growYoungGeneration } from './small-heap.ts';

export interface StoreCallbacks {
  readonly onFault: (fault: string) => void;
  readonly onWarning?: (warning: string) => void;
  readonly onSpaceChange?: (state: SpaceState) => void;
  readonly startCheck: Pick<StartCheck, 'bytesMax' | 'onProgress'>;
}

export interface ServiceNeeds {
  readonly version: string;
  /** The host that this process runs on. */
  readonly node: string;
  readonly clock: Clock;
  readonly openStores: (
    settings: Settings,
    options: { readonly create: boolean },
    callbacks: StoreCallbacks,
  ) => Promise<Stores>;
  /** Where `npm run build` puts the web UI. */
  readonly appDirectory: string;
  /** Of a process that shares the work with another one. */
  readonly supervision?: Supervision;
}

export interface Supervision {
  /** Under which it reports its health. */
  readonly name: string;
  readonly restarts: number;
  readonly link: SupervisorLink;
}

/** Nobody waits for larger databases when a process is started again: the next scrub compares them. */
const quickCheckBytes = 64 << 20;

/** All code of a role, which takes most of the time of a start. Other commands load none of it. */
export async function loadService(role: SupervisedRole): Promise<void> {
  await Promise.all([
    import('../store/embedded/open-stores.ts'),
    import('../pipeline/start-pipeline.ts'),
    import('../http/metrics.ts'),
    role === 'api' ? import('./start-front.ts') : import('../pipeline/start-collection.ts'),
  ]);
}

export async function startService(settings: Settings, needs: ServiceNeeds): Promise<Service> {
  const { createLog } = await import('../log.ts');
  const { createMetrics } = await import('../http/metrics.ts');
  const { ThreadedNameSearch } = await import('../pipeline/discovery/threaded-name-search.ts');
  const { startPipeline } = await import('../pipeline/start-pipeline.ts');
  const { openRiskScorer } = await import('../product/risk/open-risk-scorer.ts');
  const { clock, version, node, supervision } = needs;

  const { logger, line: logLine, flush } = createLog(settings, clock);
  const riskScorer = openRiskScorer(settings);
  const checkBytes = bytesToCheck(settings, supervision);
  const stores = await needs.openStores(settings, { create: true }, callbacksOf(logger, checkBytes));
  supervision?.link.send({ kind: 'opened' });
  const scrub = await startScrub(settings, logger, checkBytes, supervision);
  const metrics = createMetrics({ process: true, ...(supervision ? { role: settings.role } : {}) });
  const nameSearch = new ThreadedNameSearch();
  const shared = { settings, stores, nameSearch, riskScorer, logger, metrics, clock, version, node };
  // A worker has nothing to answer where another process answers for both.
  const answers = !supervision || settings.role === 'api';
  const { appDirectory } = needs;
  const front = answers
    ? await (await import('./start-front.ts')).openFront({ ...shared, logLine, appDirectory, supervision })
    : undefined;
  const pipeline = await startPipeline({
    ...shared,
    ...(supervision ? { processName: supervision.name } : {}),
    answersRequests: answers,
    onFirstBacklog: growYoungGeneration,
  });
  const close = async () => {
    await Promise.all([front?.close(), pipeline.close()]);
    await nameSearch.close();
    await scrub?.close();
    await stores.close();
  };
  if (!front) endStart({ mayGrow: false });
  let url = '';
  try {
    url = (await front?.listen()) ?? '';
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    servesWeb: settings.web.enabled && settings.role !== 'worker',
    stores,
    progress: () => pipeline.progress(),
    metrics: () => metrics.families(),
    stop: async () => {
      await close();
      logger.info('stopped');
      await flush();
    },
  };
}

function callbacksOf(logger: Logger, bytesMax: number): StoreCallbacks {
  return {
    onFault: (fault) => logger.error(fault),
    onWarning: (warning) => logger.warn(warning),
    onSpaceChange: ({ isLow, ...bytes }) => {
      if (isLow) logger.error(bytes, 'disk space is low: ingest has stopped until some is freed');
      else logger.info(bytes, 'there is disk space again: ingest goes on');
    },
    startCheck: {
      bytesMax,
      onProgress: everyFewSeconds((doneBytes, allBytes) =>
        logger.info({ doneBytes, allBytes }, 'comparing the databases with their checksums'),
      ),
    },
  };
}

/** The worker starts when the other process has compared all of them. */
function bytesToCheck({ role, storage }: Settings, supervision: Supervision | undefined): number {
  if (supervision?.restarts === 0 && role === 'worker') return 0;
  const isRestart = supervision !== undefined && supervision.restarts > 0;
  return isRestart ? Math.min(storage.startCheckBytes, quickCheckBytes) : storage.startCheckBytes;
}

/** One process of a server is enough. */
async function startScrub(
  { data, role, storage }: Settings,
  logger: Logger,
  checkedBytes: number,
  supervision: Supervision | undefined,
) {
  if (supervision && role === 'api') return undefined;
  const { DatabaseScrub } = await import('../store/embedded/verify/database-scrub.ts');
  const { hasLargerDatabase } = await import('../store/embedded/verify/list-databases.ts');
  const comparedBytes = supervision?.restarts === 0 ? storage.startCheckBytes : checkedBytes;
  return new DatabaseScrub(data, {
    hours: storage.scrubHours,
    isDue: hasLargerDatabase(data, comparedBytes),
    onDamage: (text) => logger.error(text),
  });
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

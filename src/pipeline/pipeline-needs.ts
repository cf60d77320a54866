/** What the stages of the pipeline are started with. */
import type { Logger } from 'pino';
import type { Clock } from '../model/clock.ts';
import type { RiskScorer } from '../model/risk/risk-scorer.ts';
import type { Settings } from '../model/settings/settings.ts';
import type { Stores } from '../stores.ts';
import type { ThreadedNameSearch } from './discovery/threaded-name-search.ts';
import type { HealthReporter } from './health/health-reporter.ts';

type Numbers = Readonly<Record<string, number>>;

export interface PartValue {
  readonly kind: string;
  readonly part: string;
  readonly value: number;
}

/** Where stages register their counters. */
export interface MetricsRegistry {
  /** Registers a gauge with one value per `kind`, read when the metrics are scraped. */
  watch(name: string, help: string, read: () => Numbers | Promise<Numbers>): void;
  /** Registers a gauge with one value per part. */
  watchParts(name: string, help: string, read: () => readonly PartValue[]): void;
}

export interface PipelineNeeds {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly nameSearch: ThreadedNameSearch;
  readonly riskScorer: RiskScorer;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly version: string;
  /** The host that this process runs on. */
  readonly node: string;
  /** Under which this process reports its health; its own by default. */
  readonly processName?: string;
  /** Whether requests wait for the event loop of this process; they do unless given. */
  readonly answersRequests?: boolean;
  /** Called once, when more arrives than is worked off: from then on speed matters more than memory. */
  readonly onFirstBacklog?: () => void;
}

/** What a stage is started with: besides, where it reports how it is. */
export interface StageNeeds extends PipelineNeeds {
  readonly health: HealthReporter;
}

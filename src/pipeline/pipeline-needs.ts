/** What the stages of the pipeline are started with. */
import type { Logger } from 'pino';
import type { Clock } from '../model/clock.ts';
import type { RiskScorer } from '../model/risk/risk-scorer.ts';
import type { Settings } from '../model/settings/settings.ts';
import type { Stores } from '../stores.ts';
import type { ThreadedNameSearch } from './discovery/threaded-name-search.ts';

type Numbers = Readonly<Record<string, number>>;

/** Where stages register their counters. */
export interface MetricsRegistry {
  /** Registers a gauge with one value per `kind`, read when the metrics are scraped. */
  watch(name: string, help: string, read: () => Numbers | Promise<Numbers>): void;
}

export interface PipelineNeeds {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly nameSearch: ThreadedNameSearch;
  readonly riskScorer: RiskScorer;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
}

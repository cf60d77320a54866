/**
 * A risk model, ready to score domains: the name model, the record model if there is one, and the rules of zero-listing. A model takes some
 * twenty megabytes, so one that comes from a file can be read with its first use.
 */

import type { RiskModel } from './name/name-model.ts';
import { NameScorer, type NameScorerOptions } from './name/name-scorer.ts';
import { RecordScorer } from './record/record-scorer.ts';
import type { ZerolistRules } from './zerolist.ts';

export interface RiskScorerOptions {
  readonly popularRankMax: ZerolistRules['popularRankMax'];
  readonly wellKnown?: ZerolistRules['wellKnown'];
  readonly prior?: NameScorerOptions['prior'];
  /** Identifies the model and the settings that decide a score: another version scores stored records again. */
  readonly version?: number;
}

/** Reads the model now, or in a thread while the event loop goes on. */
export interface ModelSource {
  readonly read: () => RiskModel;
  readonly readInThread: () => Promise<RiskModel>;
}

interface LoadedModel {
  readonly names: NameScorer;
  readonly records: RecordScorer | undefined;
}

export class RiskScorer implements ZerolistRules {
  readonly popularRankMax: number;
  readonly wellKnown: ReadonlySet<string>;
  readonly version: number;
  readonly #prior: NameScorerOptions['prior'];
  readonly #source: ModelSource | undefined;
  #loaded: LoadedModel | undefined;
  #loading: Promise<void> | undefined;

  constructor(
    model: RiskModel | ModelSource,
    { popularRankMax, wellKnown, prior, version }: RiskScorerOptions,
  ) {
    this.#prior = prior;
    if ('read' in model) this.#source = model;
    else this.#use(model);
    this.popularRankMax = popularRankMax;
    this.wellKnown = wellKnown ?? new Set();
    this.version = version ?? 0;
  }

  get names(): NameScorer {
    return this.#model().names;
  }

  get records(): RecordScorer | undefined {
    return this.#model().records;
  }

  /** To be awaited before the first use where nothing may wait for it. */
  async load(): Promise<this> {
    if (this.#source && !this.#loaded) {
      this.#loading ??= this.#source.readInThread().then(
        (model) => void (this.#loaded ?? this.#use(model)),
        (error: unknown) => {
          this.#loading = undefined;
          throw error;
        },
      );
      await this.#loading;
    }
    return this;
  }

  #model(): LoadedModel {
    return this.#loaded ?? this.#use((this.#source as ModelSource).read());
  }

  #use(model: RiskModel): LoadedModel {
    const records = model.records && new RecordScorer(model.records);
    this.#loaded = { names: new NameScorer(model, { prior: this.#prior }), records };
    return this.#loaded;
  }
}

/** Evaluates a record model on records that it was not trained on. Records are scored one by one and not retained. */

import { scoreOf } from '../../src/model/risk/name/calibration-curve.ts';
import type { Quality } from '../../src/model/risk/name/name-model.ts';
import { findNameParts } from '../../src/model/risk/name/name-parts.ts';
import type { NameScorer } from '../../src/model/risk/name/name-scorer.ts';
import type { RecordModel } from '../../src/model/risk/record/record-model.ts';
import { RecordScorer } from '../../src/model/risk/record/record-scorer.ts';
import { type ByThreat, byThreat, type Threat } from '../../src/model/risk/threat.ts';
import { bandsOf, qualityOf, type ScoreBand } from './evaluation-metrics.ts';
import { isRelevantTo, type LabelledRecord, type RecordLabels } from './record-rows.ts';

export interface RecordEvaluation {
  readonly quality: Quality;
  /** The same domains scored by name only. */
  readonly nameAlone: Quality;
  readonly bands: readonly ScoreBand[];
}

interface ScoredExample {
  readonly labels: RecordLabels;
  readonly name: ByThreat<number>;
  readonly record: ByThreat<number>;
}

const noName = byThreat(() => 0);

export class RecordEvaluator {
  readonly #scorer: RecordScorer;
  readonly #names: NameScorer;
  readonly #examples: ScoredExample[] = [];

  constructor(model: RecordModel, names: NameScorer) {
    this.#scorer = new RecordScorer(model);
    this.#names = names;
  }

  add({ record, nowMs, labels }: LabelledRecord): void {
    const parts = findNameParts(record.domain);
    const name = parts ? this.#names.logOddsOf(parts) : noName;
    this.#examples.push({ labels, name, record: this.#scorer.logOddsOf(name, record, nowMs) });
  }

  /** Undefined if there are no bad or no good records. */
  find(threat: Threat): RecordEvaluation | undefined {
    const relevant = this.#examples.filter(({ labels }) => isRelevantTo(labels, threat));
    const [bad, good] = [
      relevant.filter(({ labels }) => labels !== 'good'),
      relevant.filter(({ labels }) => labels === 'good'),
    ];
    if (bad.length === 0 || good.length === 0) return undefined;
    const quality = (what: 'name' | 'record') =>
      qualityOf(
        Float64Array.from(bad, (one) => one[what][threat]),
        Float64Array.from(good, (one) => one[what][threat]),
      );
    const { curve } = this.#scorer.model.threats[threat];
    const scores = (side: readonly ScoredExample[]) =>
      side.map(({ record }) => scoreOf(curve, record[threat]));
    return {
      quality: quality('record'),
      nameAlone: quality('name'),
      bands: bandsOf(scores(bad), scores(good)),
    };
  }
}

/** How good a model is on records that it was not trained on. Records come one by one, and none is kept. */
import { bandsOf, qualityOf, type ScoreBand } from '../measure.ts';
import { findNameParts } from '../name-parts.ts';
import type { NameScorer } from '../name-scorer.ts';
import type { RecordModel } from '../record-model.ts';
import { RecordScorer } from '../record-scorer.ts';
import type { Quality } from '../risk-model.ts';
import { scoreOf } from '../score-curve.ts';
import { type ByThreat, byThreat, type Threat } from '../threat.ts';
import { type LabelledRecord, type RecordLabels, speaksOf } from './record-rows.ts';

export interface MeasuredRecords {
  readonly quality: Quality;
  /** Of the same domains, without what their records say. */
  readonly nameAlone: Quality;
  readonly bands: readonly ScoreBand[];
}

interface Judged {
  readonly labels: RecordLabels;
  readonly name: ByThreat<number>;
  readonly record: ByThreat<number>;
}

const noName = byThreat(() => 0);

export class RecordMeasure {
  readonly #scorer: RecordScorer;
  readonly #names: NameScorer;
  readonly #judged: Judged[] = [];

  constructor(model: RecordModel, names: NameScorer) {
    this.#scorer = new RecordScorer(model);
    this.#names = names;
  }

  add({ record, nowMs, labels }: LabelledRecord): void {
    const parts = findNameParts(record.domain);
    const name = parts ? this.#names.logOddsOf(parts) : noName;
    this.#judged.push({ labels, name, record: this.#scorer.logOddsOf(name, record, nowMs) });
  }

  /** Undefined where one side is empty. */
  find(threat: Threat): MeasuredRecords | undefined {
    const told = this.#judged.filter(({ labels }) => speaksOf(labels, threat));
    const [bad, good] = [
      told.filter(({ labels }) => labels !== 'good'),
      told.filter(({ labels }) => labels === 'good'),
    ];
    if (bad.length === 0 || good.length === 0) return undefined;
    const quality = (what: 'name' | 'record') =>
      qualityOf(
        Float64Array.from(bad, (one) => one[what][threat]),
        Float64Array.from(good, (one) => one[what][threat]),
      );
    const { curve } = this.#scorer.model.threats[threat];
    const scores = (side: readonly Judged[]) => side.map(({ record }) => scoreOf(curve, record[threat]));
    return {
      quality: quality('record'),
      nameAlone: quality('name'),
      bands: bandsOf(scores(bad), scores(good)),
    };
  }
}

/**
 * Evaluates a record model on records that it was not trained on: all of it, by the name alone, and without each kind of evidence. Records
 * are scored one by one and not retained.
 */

import type { Quality } from '../../src/model/risk/name/name-model.ts';
import { findNameParts } from '../../src/model/risk/name/name-parts.ts';
import type { NameScorer } from '../../src/model/risk/name/name-scorer.ts';
import { type Evidence, recordFacts } from '../../src/model/risk/record/record-facts.ts';
import type { RecordModel } from '../../src/model/risk/record/record-model.ts';
import { RecordScorer } from '../../src/model/risk/record/record-scorer.ts';
import { scoreOfShare } from '../../src/model/risk/score-scale.ts';
import { type ByThreat, byThreat, type Threat } from '../../src/model/risk/threat.ts';
import { bandsOf, qualityOf, type ScoreBand } from './evaluation-metrics.ts';
import { matchStrata } from './match-strata.ts';
import { isRelevantTo, type LabelledRecord, type RecordLabels } from './record-rows.ts';
import { seededRandom } from './seeded-random.ts';

export interface RecordEvaluation {
  readonly quality: Quality;
  /** The same domains scored by name only. */
  readonly nameAlone: Quality;
  /** The same domains without the name, which then counts the same for all, and without each kind of evidence that any of them has. */
  readonly without: readonly { readonly evidence: 'domain name' | Evidence; readonly quality: Quality }[];
  readonly bands: readonly ScoreBand[];
}

export interface RecordEvaluationOptions {
  /** Compares as many good as bad records of every public suffix and age. */
  readonly isMatched?: boolean;
}

interface ScoredExample {
  readonly labels: RecordLabels;
  /** Its public suffix and the age of its registration. */
  readonly stratum: string;
  readonly name: ByThreat<number>;
  readonly record: ByThreat<number>;
  readonly nameless: ByThreat<number>;
  /** Only for evidence that the record has. */
  readonly without: ReadonlyMap<Evidence, ByThreat<number>>;
}

const noName = byThreat(() => 0.5);
const ageFact = 'registration age';
const matchSeed = 1;

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
    const shares = parts ? this.#names.sharesOf(parts) : noName;
    const facts = recordFacts(record, nowMs);
    const age = facts.find(({ what }) => what === ageFact)?.fact ?? '';
    const without = [...new Set(facts.map(({ evidence }) => evidence))].map((evidence) => {
      const others = facts.filter((fact) => fact.evidence !== evidence);
      return [evidence, this.#scorer.logitsOf(shares, others)] as const;
    });
    this.#examples.push({
      labels,
      stratum: `${parts?.suffix ?? ''} ${age}`,
      name: this.#scorer.logitsOf(shares, []),
      record: this.#scorer.logitsOf(shares, facts),
      nameless: this.#scorer.logitsOf(noName, facts),
      without: new Map(without),
    });
  }

  /** Undefined if there are no bad or no good records. */
  find(threat: Threat, { isMatched = false }: RecordEvaluationOptions = {}): RecordEvaluation | undefined {
    const relevant = this.#examples.filter(({ labels }) => isRelevantTo(labels, threat));
    const sides = {
      bad: relevant.filter(({ labels }) => labels !== 'good'),
      good: relevant.filter(({ labels }) => labels === 'good'),
    };
    const { bad, good } = isMatched
      ? matchStrata(sides, ({ stratum }) => stratum, seededRandom(matchSeed))
      : sides;
    if (bad.length === 0 || good.length === 0) return undefined;
    const quality = (valueOf: (one: ScoredExample) => ByThreat<number>) =>
      qualityOf(
        Float64Array.from(bad, (one) => valueOf(one)[threat]),
        Float64Array.from(good, (one) => valueOf(one)[threat]),
      );
    const evidences = new Set([...bad, ...good].flatMap(({ without }) => [...without.keys()]));
    const scores = (side: readonly ScoredExample[]) =>
      side.map(({ record }) => scoreOfShare(1 / (1 + Math.exp(-record[threat]))));
    return {
      quality: quality(({ record }) => record),
      nameAlone: quality(({ name }) => name),
      without: [
        { evidence: 'domain name', quality: quality(({ nameless }) => nameless) },
        ...Array.from(evidences, (evidence) => ({
          evidence,
          quality: quality(({ record, without }) => without.get(evidence) ?? record),
        })),
      ],
      bands: bandsOf(scores(bad), scores(good)),
    };
  }
}

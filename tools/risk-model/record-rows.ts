/** Labelled records as rows of facts. Facts are interned, so that hundreds of thousands of rows fit into memory. */
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import type { RecordFact } from '../../src/model/risk/record/record-fact.ts';
import { recordFacts } from '../../src/model/risk/record/record-facts.ts';
import type { Threat } from '../../src/model/risk/threat.ts';

export type RecordLabels = readonly Threat[] | 'good';

export interface LabelledRecord {
  readonly record: DomainRecord;
  /** When it was observed; ages are relative to this. */
  readonly nowMs: number;
  readonly labels: RecordLabels;
  /** The sample weight; default 1. */
  readonly weight?: number;
  /** Whether identifying facts may be learnt from it; false for records of a simulated world. */
  readonly hasIdentities?: boolean;
}

export interface RecordRow {
  readonly domain: string;
  readonly nowMs: number;
  readonly facts: readonly RecordFact[];
  readonly labels: RecordLabels;
  readonly weight: number;
}

export const recordRowsMax = 300_000;

export class RecordRows {
  readonly #rows: RecordRow[] = [];
  readonly #facts = new Map<string, RecordFact>();

  get all(): readonly RecordRow[] {
    return this.#rows;
  }

  get isFull(): boolean {
    return this.#rows.length >= recordRowsMax;
  }

  add({ record, nowMs, labels, weight = 1, hasIdentities = true }: LabelledRecord): void {
    const facts = recordFacts(record, nowMs)
      .filter(({ isIdentity }) => hasIdentities || !isIdentity)
      .map((fact) => this.#intern(fact));
    this.#rows.push({ domain: record.domain, nowMs, facts, labels, weight });
  }

  #intern(fact: RecordFact): RecordFact {
    const known = this.#facts.get(fact.fact);
    if (!known) this.#facts.set(fact.fact, fact);
    return known ?? fact;
  }
}

/** A record with only other threats is neither a positive nor a negative example of this one. */
export function isRelevantTo(labels: RecordLabels, threat: Threat): boolean {
  return labels === 'good' || labels.includes(threat);
}

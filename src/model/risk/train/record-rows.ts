/** Labelled records as rows of facts: hundreds of thousands of them fit, because what they say is kept once. */
import type { DomainRecord } from '../../record/domain-record.ts';
import type { RecordFact } from '../record-fact.ts';
import { recordFacts } from '../record-features.ts';
import type { Threat } from '../threat.ts';

export type RecordLabels = readonly Threat[] | 'good';

export interface LabelledRecord {
  readonly record: DomainRecord;
  /** When it was looked at: ages are counted to here. */
  readonly nowMs: number;
  readonly labels: RecordLabels;
  /** How much it counts; 1 unless given. */
  readonly weight?: number;
  /** Whether who somebody is may be learnt from it; false for records of a world that is made up. */
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
      .map((fact) => this.#once(fact));
    this.#rows.push({ domain: record.domain, nowMs, facts, labels, weight });
  }

  #once(fact: RecordFact): RecordFact {
    const known = this.#facts.get(fact.fact);
    if (!known) this.#facts.set(fact.fact, fact);
    return known ?? fact;
  }
}

/** A record that is bad in another way says nothing of this one. */
export function speaksOf(labels: RecordLabels, threat: Threat): boolean {
  return labels === 'good' || labels.includes(threat);
}

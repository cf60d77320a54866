/**
 * Labelled names in columns, so that millions fit into memory. Names are distinct; a name on a list of bad names is not good, whatever
 * other lists say. Newer bad names have more weight, because they predict future abuse better, and popular names more if they are more
 * popular, because those are met more often.
 */
import { findNameParts, type NameParts } from '../../src/model/risk/name/name-parts.ts';
import { type Threat, threats } from '../../src/model/risk/threat.ts';
import { isHeldOut } from './held-out.ts';

export type NameLabel = Threat | 'good' | 'popular';

export interface NameDetails {
  /** The day it was first seen. */
  readonly date?: string | undefined;
  /** Of a popular name. */
  readonly rank?: number | undefined;
}

export interface TrainingSetOptions {
  /** Excludes names of this day and later, and bad and ordinary names without a date. */
  readonly before?: string | undefined;
}

/** The most popular names are not trained on: everybody tries them first, so they show whether a model knows more than names by heart. */
export const popularRankMin = 1000;

/** Popular names are good, but unlike the new names that are scored in practice, so most of them count little. */
function popularWeight(rank: number): number {
  if (rank <= 20_000) return 6;
  return rank <= 100_000 ? 0.8 : 0.04;
}

const undatedWeight = 0.6;
const yearlyDecay = 0.6;
const decadesFrom = 2000;
const unranked = Number.POSITIVE_INFINITY;

export class TrainingSet {
  readonly labels: string[] = [];
  readonly suffixes: string[] = [];
  readonly #kinds: number[] = [];
  readonly #years: number[] = [];
  readonly #ranks: number[] = [];
  readonly #international = new Set<number>();
  readonly #indexes = new Map<string, number>();
  readonly #interned = new Map<string, string>();
  readonly #before: string | undefined;
  readonly #heldOut: Record<NameLabel, string[]> = {
    phishing: [],
    malware: [],
    spam: [],
    good: [],
    popular: [],
  };
  datesFrom: string | undefined;
  datesTo: string | undefined;

  constructor({ before }: TrainingSetOptions = {}) {
    this.#before = before;
  }

  get size(): number {
    return this.labels.length;
  }

  /** The holdout set, for evaluation. */
  get heldOut(): Readonly<Record<NameLabel, readonly string[]>> {
    return this.#heldOut;
  }

  /** Ignores a name without a registrable domain. */
  add(name: string, label: NameLabel, { date, rank }: NameDetails = {}): void {
    if (this.#isLater(label, date) || (rank !== undefined && rank <= popularRankMin)) return;
    const parts = findNameParts(name);
    if (!parts) return;
    if (date !== undefined && (this.datesFrom === undefined || date < this.datesFrom)) this.datesFrom = date;
    if (date !== undefined && (this.datesTo === undefined || date > this.datesTo)) this.datesTo = date;
    if (isHeldOut(parts.domain)) {
      this.#heldOut[label].push(parts.domain);
      return;
    }
    const kind = kindOf(label);
    const known = this.#indexes.get(parts.domain);
    const year =
      date === undefined ? 0 : Number(date.slice(0, 4)) - decadesFrom + Number(date.slice(5, 7)) / 12;
    if (known !== undefined) {
      if (rank !== undefined) this.#ranks[known] = rank;
      const before = this.#kinds[known] as number;
      this.#kinds[known] = (before | kind) & (isBad(before | kind) ? badMask : -1);
      this.#years[known] = Math.max(this.#years[known] as number, year);
      return;
    }
    const index = this.labels.length;
    this.#indexes.set(parts.domain, index);
    this.labels.push(parts.label);
    this.suffixes.push(this.#intern(parts.suffix));
    this.#kinds.push(kind);
    this.#years.push(year);
    this.#ranks.push(rank ?? unranked);
    if (parts.isInternational) this.#international.add(index);
  }

  #isLater(label: NameLabel, date: string | undefined): boolean {
    if (this.#before === undefined || label === 'popular') return false;
    return date === undefined || date >= this.#before;
  }

  /** The parts that are scored. */
  partsOf(index: number): NameParts {
    const [label, suffix] = [this.labels[index] as string, this.suffixes[index] as string];
    return { domain: `${label}.${suffix}`, label, suffix, isInternational: this.#international.has(index) };
  }

  isGood(index: number): boolean {
    return !isBad(this.#kinds[index] as number);
  }

  /** Popular, and not on a list of newly registered names. */
  isPopular(index: number): boolean {
    return (this.#kinds[index] as number) === popularKind;
  }

  isOf(index: number, threat: Threat): boolean {
    return ((this.#kinds[index] as number) & kindOf(threat)) !== 0;
  }

  /** The sample weight among names of its kind. */
  weightOf(index: number, decay = yearlyDecay): number {
    const year = this.#years[index] as number;
    if (this.isPopular(index)) return popularWeight(this.#ranks[index] as number);
    if (this.isGood(index)) return 1;
    return year === 0 ? undatedWeight : decay ** Math.max(0, this.#newest() - year);
  }

  #newestYear = 0;

  #newest(): number {
    if (this.#newestYear === 0)
      for (const year of this.#years) if (year > this.#newestYear) this.#newestYear = year;
    return this.#newestYear;
  }

  #intern(suffix: string): string {
    const known = this.#interned.get(suffix);
    if (known !== undefined) return known;
    this.#interned.set(suffix, suffix);
    return suffix;
  }
}

const goodKind = 1 << threats.length;
const popularKind = goodKind << 1;
const badMask = goodKind - 1;

function kindOf(label: NameLabel): number {
  if (label === 'good') return goodKind;
  return label === 'popular' ? popularKind : 1 << threats.indexOf(label);
}

function isBad(kind: number): boolean {
  return (kind & badMask) !== 0;
}

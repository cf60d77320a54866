/** One thing that a record says, short enough to be weighed and to be told. */

/** The contract's words for evidence, and ours where it has none. */
export type Evidence =
  | 'registrar'
  | 'registrant'
  | 'name server'
  | 'ip address'
  | 'mail'
  | 'certificate'
  | 'web site';

export interface RecordFact {
  readonly evidence: Evidence;
  /** What it is about: `registration age`, `asn`. */
  readonly what: string;
  /** With its value: `registration age under 7 days`, `asn 13335`. This is what a model has a weight for. */
  readonly fact: string;
  /**
   * Who somebody is, or what is usual where they are, and not what they are like: it says something only of others of the same
   * population, and a made-up world teaches nothing of it.
   */
  readonly isIdentity: boolean;
}

const valueCharactersMax = 60;

/** What is alike for many: `registration age under 7 days`. */
export function form(evidence: Evidence, what: string, value: string): RecordFact {
  return { evidence, what, fact: `${what} ${value}`, isIdentity: false };
}

/** None where it is unknown. */
export function identity(evidence: Evidence, what: string, value: string | undefined): readonly RecordFact[] {
  if (value === undefined || value === '') return [];
  return [
    {
      evidence,
      what,
      fact: `${what} ${value.slice(0, valueCharactersMax).toLowerCase()}`,
      isIdentity: true,
    },
  ];
}

/** Values of a record that are looked at; who brings more is not believed more. */
const valuesMax = 8;

/** Each once. */
export function identities(
  evidence: Evidence,
  what: string,
  values: Iterable<string>,
): readonly RecordFact[] {
  const facts: RecordFact[] = [];
  const known = new Set<string>();
  for (const value of values) {
    if (known.size === valuesMax) break;
    if (known.has(value)) continue;
    known.add(value);
    facts.push(...identity(evidence, what, value));
  }
  return facts;
}

/** A number by the first bound that is larger: `under 7 days`. */
export function under(value: number, bounds: readonly number[], unit: string): string {
  const bound = bounds.find((least) => value < least);
  return bound === undefined ? 'more' : `under ${bound} ${unit}`;
}

const dayMs = 86_400_000;

/** Days from one time to another; undefined where one of them is unknown or no day. */
export function daysBetween(from: string | undefined, to: string | number | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  const days = ((typeof to === 'number' ? to : Date.parse(to)) - Date.parse(from)) / dayMs;
  return Number.isNaN(days) ? undefined : days;
}

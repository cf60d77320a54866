/**
 * Completes what is typed as the value of a search parameter: tags by their list, other values by those that are frequent in a sample of all
 * domains. The index knows values by their keys alone, so all values that begin with a text cannot be listed.
 */
import { minuteMs } from '../../../model/durations.ts';
import { attributes } from '../../../model/record/attributes.ts';
import type { Attribute } from '../../../model/record/condition.ts';
import { fold } from '../../../model/record/fold.ts';
import type { TagReader } from '../../../store/domain/tag-store.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import { parameterOfColumn } from './columns.ts';

export interface CompletionNeeds {
  readonly domains: Pick<DomainStore, 'countsOf' | 'listTags' | 'listTopValues' | 'sampleMatches'>;
}

export interface Completion {
  readonly value: string;
  readonly domains: number;
}

const everything = { kind: 'and', of: [] } as const;
const sampleSize = 2000;
const valuesMax = 500;
const completionsMax = 10;
const freshMs = 10 * minuteMs;
const tagsMax = 500;

/** The attribute that a parameter is completed from. */
const attributeOf: ReadonlyMap<string, Attribute> = new Map(
  attributes
    .filter((attribute) => !attribute.startsWith('parsed_'))
    .toReversed()
    .flatMap((attribute) => {
      const parameter = parameterOfColumn(attribute);
      return parameter === undefined ? [] : [[parameter, attribute] as const];
    }),
);

/** What is frequent changes slowly, so it is found out again after some minutes, when somebody types. */
export class ValueCompletion {
  readonly #needs: CompletionNeeds;
  #frequent: { readonly atMs: number; readonly values: Promise<Frequent> } | undefined;

  constructor(needs: CompletionNeeds) {
    this.#needs = needs;
  }

  /** Values that begin with the text, then those that contain it. */
  async complete(parameter: string, text: string, reader: TagReader): Promise<readonly Completion[]> {
    const folded = fold(text.trim());
    if (parameter.includes('tagged_with_')) return this.#tags(folded, reader);
    const attribute = attributeOf.get(parameter);
    if (attribute === undefined) return [];
    const frequent = await this.#frequentValues(reader.nowMs);
    const values = bestMatches(frequent.get(attribute) ?? [], folded, ({ value }) => value);
    const shared = values.map(({ value }) => ({ attribute, value }));
    const counts = await this.#needs.domains.countsOf(shared);
    return values.map(({ value }, index) => ({ value, domains: counts[index] ?? 0 }));
  }

  async #tags(folded: string, reader: TagReader): Promise<readonly Completion[]> {
    const tags = await this.#needs.domains.listTags(reader, tagsMax);
    const found = bestMatches(tags, folded, ({ label }) => label);
    return found.map(({ label, domains }) => ({ value: label, domains }));
  }

  #frequentValues(nowMs: number): Promise<Frequent> {
    const known = this.#frequent;
    if (known && Math.abs(nowMs - known.atMs) < freshMs) return known.values;
    const values = findFrequent(this.#needs);
    const found = { atMs: nowMs, values };
    this.#frequent = found;
    values.catch(() => {
      if (this.#frequent === found) this.#frequent = undefined;
    });
    return values;
  }
}

type Frequent = ReadonlyMap<Attribute, readonly { readonly value: string }[]>;

async function findFrequent({ domains }: CompletionNeeds): Promise<Frequent> {
  const sample = await domains.sampleMatches(everything, sampleSize);
  const completed = [...attributeOf.values()];
  const top = await domains.listTopValues(sample, completed, valuesMax);
  return new Map(completed.map((attribute, index) => [attribute, top[index] ?? []]));
}

function bestMatches<Item>(
  items: readonly Item[],
  folded: string,
  textOf: (item: Item) => string,
): readonly Item[] {
  const starting = items.filter((item) => fold(textOf(item)).startsWith(folded));
  if (starting.length >= completionsMax) return starting.slice(0, completionsMax);
  const containing = items.filter((item) => fold(textOf(item)).indexOf(folded) > 0);
  return [...starting, ...containing].slice(0, completionsMax);
}

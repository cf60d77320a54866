/** Counts the values of records, for the most frequent ones of each attribute. */
import { valuesOf } from '../../../model/record/attributes.ts';
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { TopValue } from '../../domain-store.ts';
import type { ValueKey, ValueKeys } from '../value-keys.ts';

type Counted = { -readonly [Member in keyof TopValue]: TopValue[Member] };

/** Values that differ in letter case alone are one; the first of them in order is shown. */
export class TopValues {
  readonly #keys: ValueKeys;
  readonly #counted: ReadonlyMap<Attribute, Map<ValueKey, Counted>>;

  constructor(keys: ValueKeys, attributes: readonly Attribute[]) {
    this.#keys = keys;
    this.#counted = new Map(attributes.map((attribute) => [attribute, new Map<ValueKey, Counted>()]));
  }

  add(record: DomainRecord): void {
    const seen = new Set<ValueKey>();
    for (const { attribute, value } of valuesOf(record)) {
      const values = this.#counted.get(attribute);
      if (!values) continue;
      const key = this.#keys.keyOf(attribute, value);
      const known = values.get(key) ?? { value, domains: 0 };
      values.set(key, known);
      if (!seen.has(key)) known.domains += 1;
      seen.add(key);
      if (value < known.value) known.value = value;
    }
  }

  /** In descending order of frequency. */
  list(attribute: Attribute, limit: number): readonly TopValue[] {
    return [...(this.#counted.get(attribute)?.values() ?? [])]
      .sort((left, right) => right.domains - left.domains || (left.value < right.value ? -1 : 1))
      .slice(0, limit);
  }
}

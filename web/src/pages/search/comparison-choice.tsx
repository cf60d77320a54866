/** How the value of a parameter is compared: what the parameter means, or another way of the query language. */
import { foreign } from '../../data/foreign.ts';
import type { CatalogueParameter } from '../../data/search.ts';
import { Text } from '../../parts/text.tsx';
import { type Comparison, usualComparison } from '../../query/condition.ts';
import { searchWords as words } from '../../words/search.ts';

const comparisonOfOperator: Readonly<Record<string, Comparison>> = {
  EQUALS: '=',
  CONTAINS: 'contains',
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL: '>=',
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL: '<=',
  WITHIN: 'within',
};

/** `not` and the comparison as one choice. */
export interface How {
  readonly comparison: Comparison;
  readonly not: boolean;
}

function waysOf(parameter: CatalogueParameter): readonly How[] {
  const usual = usualComparison(parameter.name);
  const all = parameter.operators.flatMap((operator) => comparisonOfOperator[operator] ?? []);
  const comparisons = [...new Set<Comparison>([usual, ...all])];
  return [
    ...comparisons.map((comparison) => ({ comparison, not: false })),
    ...comparisons
      .filter((one) => one === '=' || one === 'contains')
      .map((comparison) => ({ comparison, not: true })),
  ];
}

/** A column of the query language, or a component of a record, that the catalogue does not list. */
export const unlisted = (name: string): CatalogueParameter => ({
  name,
  kind: 'base',
  value: 'text',
  about: '',
  examples: [],
  operators: Object.keys(comparisonOfOperator),
});

interface ComparisonChoiceProps {
  readonly parameter: CatalogueParameter;
  readonly how: How;
  readonly setHow: (how: How) => void;
}

export function ComparisonChoice({ parameter, how, setHow }: ComparisonChoiceProps) {
  const ways = waysOf(parameter);
  const key = ({ comparison, not }: How) => `${not ? 'not ' : ''}${comparison}`;
  const all = ways.some((way) => key(way) === key(how)) ? ways : [how, ...ways];
  return (
    <span className="entry-prefix">
      <Text of={foreign(parameter.name)} />
      <select
        aria-label={words.comparisonOf(parameter.name)}
        value={key(how)}
        onChange={({ target }) => setHow(all.find((way) => key(way) === target.value) ?? how)}
      >
        {all.map((way) => (
          <option key={key(way)} value={key(way)}>
            {words.sign(way.comparison, way.not)}
          </option>
        ))}
      </select>
    </span>
  );
}

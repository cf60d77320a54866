/** Values of one column of a search: how many domains have each, their average risk, and whether it is worth following. */
import { Compass } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { wordsOfField } from '../../data/field-words.ts';
import { type Foreign, plain } from '../../data/foreign.ts';
import type { Facet, FacetValue } from '../../data/search.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Risk } from '../../parts/risk.tsx';
import { Text } from '../../parts/text.tsx';
import { ValueMenu } from '../../parts/value-menu.tsx';
import { valueIs } from '../../query/condition.ts';
import { useOpenSearch } from '../../query/search-context.ts';
import { narrowed, queryOf } from '../../query/search-query.ts';
import { number } from '../../words/language.ts';
import { facetWords as words } from '../../words/search.ts';

export const nameOfColumn = (column: Foreign): string => spelledOut(wordsOfField(column));

export function FacetList({ facet }: { facet: Facet }) {
  const { by, parameter, values } = facet;
  if (values.length === 0) return <p className="pale">{words.noValues}</p>;
  return (
    <ul className="facet-values">
      {values.map((value) => (
        <FacetRow
          key={plain(value.value)}
          field={plain(by)}
          parameter={parameter === null ? undefined : plain(parameter)}
          value={value}
        />
      ))}
    </ul>
  );
}

interface FacetRowProps {
  readonly field: string;
  readonly parameter: string | undefined;
  readonly value: FacetValue;
}

function FacetRow({
  field,
  parameter,
  value: { value, domains, domains_in_all, average_risk, guided },
}: FacetRowProps) {
  const search = useOpenSearch();
  const text = plain(value);
  const spoken = spelledOut(value);
  const change = (not: boolean) => {
    if (parameter !== undefined) search?.change(narrowed(search.query, valueIs(parameter, text, not)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') change(false);
    else if (event.key === '-') change(true);
    else if (event.key === '>' && parameter !== undefined)
      search?.change(queryOf([valueIs(parameter, text)]));
    else return;
    event.preventDefault();
  };
  const score = average_risk === null ? null : Math.round(average_risk);
  return (
    <li className="facet-value" onKeyDown={onKeyDown}>
      <ValueMenu field={parameter ?? field} value={value}>
        <Text of={value} />
      </ValueMenu>
      <span className="facet-numbers">
        <span title={words.averageRisk(score)}>
          <Risk score={score} status={null} />
        </span>
        <b title={words.inAll(domains_in_all)}>
          {guided && <Compass size={12} aria-label={words.guided} />}
          {number(domains)}
        </b>
        <button
          type="button"
          disabled={parameter === undefined}
          aria-label={words.narrow(spoken)}
          title={words.narrow(spoken)}
          onClick={() => change(false)}
        >
          {words.plus}
        </button>
        <button
          type="button"
          disabled={parameter === undefined}
          aria-label={words.exclude(spoken)}
          title={words.exclude(spoken)}
          onClick={() => change(true)}
        >
          {words.minus}
        </button>
      </span>
    </li>
  );
}

/** What is offered while a condition is typed. */
import { foreign } from '../../data/foreign.ts';
import type { CatalogueParameter } from '../../data/search.ts';
import type { Choice } from '../../parts/combobox.tsx';
import { Text } from '../../parts/text.tsx';
import type { Condition } from '../../query/condition.ts';
import { typedCondition } from '../../query/typed-condition.ts';
import { searchWords as words } from '../../words/search.ts';
import { conditionWords } from './condition-words.ts';

export interface EntryChoice extends Choice {
  readonly parameter?: CatalogueParameter;
  readonly condition?: Condition;
  readonly value?: string;
}

const choicesMax = 12;

/** What people type for it. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['ns', 'nameserver'],
  ['mx', 'mailserver'],
  ['cert', 'ssl_'],
  ['certificate', 'ssl_'],
  ['country', 'ip_country_code'],
  ['created', 'create_date'],
  ['registered', 'create_date'],
  ['risk', 'risk_score'],
  ['tag', 'tagged_with'],
  ['title', 'website_title'],
  ['owner', 'registrant'],
]);

export function startChoices(
  typed: string,
  parameters: readonly CatalogueParameter[],
  isField: (name: string) => boolean,
): readonly EntryChoice[] {
  const wanted = typed.trim().toLowerCase();
  const condition = wanted === '' ? undefined : typedCondition(typed, isField);
  const alias = aliases.get(wanted);
  const rank = ({ name, about }: CatalogueParameter) => {
    if (name.startsWith(alias ?? wanted)) return 0;
    if (name.includes(wanted.replaceAll(' ', '_'))) return 1;
    return about.toLowerCase().includes(wanted) ? 2 : 3;
  };
  const matching = parameters
    .map((parameter) => ({ parameter, at: rank(parameter) }))
    .filter(({ at }) => at < 3)
    .sort((one, other) => one.at - other.at)
    .slice(0, choicesMax);
  return [
    ...(condition
      ? [{ id: 'typed', label: <Text of={foreign(words.searchFor(conditionWords(condition)))} />, condition }]
      : []),
    ...matching.map(({ parameter }) => ({
      id: parameter.name,
      label: <span className="mono">{parameter.name}</span>,
      hint: parameter.about,
      parameter,
    })),
  ];
}

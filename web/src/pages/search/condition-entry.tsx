/** Where a condition is typed: first the parameter, then its value, both completed; or anything that is pasted. */
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { plain } from '../../data/foreign.ts';
import { type CatalogueParameter, useCatalogue, useCompletions, useSearchCount } from '../../data/search.ts';
import { Combobox } from '../../parts/combobox.tsx';
import { Text } from '../../parts/text.tsx';
import { type Condition, usualComparison } from '../../query/condition.ts';
import { narrowed, type SearchQuery } from '../../query/search-query.ts';
import { typedCondition } from '../../query/typed-condition.ts';
import { domains } from '../../words/language.ts';
import { searchWords as words } from '../../words/search.ts';
import { ComparisonChoice, type How, unlisted } from './comparison-choice.tsx';
import { type EntryChoice, startChoices } from './entry-choices.tsx';

interface ConditionEntryProps {
  readonly query: SearchQuery | undefined;
  readonly add: (condition: Condition) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  /** A chip that is being changed. */
  readonly draft: Condition | undefined;
  readonly leaveDraft: () => void;
  /** From an empty field back to the last chip. */
  readonly toChips: () => void;
}

const restMs = 350;
export function ConditionEntry({ query, add, field, draft, leaveDraft, toChips }: ConditionEntryProps) {
  const catalogue = useCatalogue().data;
  const [parameter, setParameter] = useState<CatalogueParameter>();
  const [how, setHow] = useState<How>({ comparison: '=', not: false });
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState(false);
  const rested = useRested(typed);
  const begin = (name: string, value = '', as?: How) => {
    const found = catalogue?.parameters.find((one) => one.name === name) ?? unlisted(name);
    setParameter(found);
    setHow(as ?? { comparison: usualComparison(name), not: false });
    setTyped(value);
    field.current?.focus();
  };
  useEffect(() => {
    if (draft) begin(draft.field, draft.value, draft);
  }, [draft]);
  const isField = (name: string) => catalogue?.parameters.some((one) => one.name === name) ?? false;
  const reset = () => {
    setParameter(undefined);
    setTyped('');
    setProblem(false);
    leaveDraft();
  };
  const finish = (condition: Condition) => {
    add(condition);
    reset();
  };
  const submit = (text: string) => {
    const value = text.trim();
    if (value === '') return;
    const condition = parameter ? { field: parameter.name, ...how, value } : typedCondition(value, isField);
    if (condition) finish(condition);
    else setProblem(true);
  };
  const completions = useCompletions(parameter?.name, rested).data;
  const choices: readonly EntryChoice[] = parameter
    ? (completions?.values ?? []).map(({ value, domains: count }, index) => ({
        id: `${index}`,
        label: <Text of={value} />,
        hint: count === null ? undefined : domains(count),
        value: plain(value),
      }))
    : startChoices(typed, catalogue?.parameters ?? [], isField);
  const onKey = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    if (event.key === 'Escape') {
      // First what is typed, then the field: its keys belong to the page again.
      if (parameter || typed !== '') reset();
      else field.current?.blur();
      return true;
    }
    if (event.key === 'Backspace' && typed === '') {
      if (parameter) reset();
      else toChips();
      return true;
    }
    return event.key === 'ArrowLeft' && typed === '' && !parameter ? (toChips(), true) : false;
  };
  const trial =
    parameter && rested.trim() !== '' ? { field: parameter.name, ...how, value: rested.trim() } : undefined;
  return (
    <div className="search-entry">
      {parameter && <ComparisonChoice parameter={parameter} how={how} setHow={setHow} />}
      <Combobox<EntryChoice>
        field={field}
        label={parameter ? words.valueOf(parameter.name) : words.add}
        placeholder={parameter ? (parameter.examples[0] ?? '') : query ? words.addMore : words.add}
        value={typed}
        change={(text) => {
          setTyped(text);
          setProblem(false);
        }}
        choices={choices}
        choose={({ parameter: chosen, condition, value }) => {
          if (chosen) begin(chosen.name);
          else if (condition) finish(condition);
          else if (value !== undefined) submit(value);
        }}
        submit={submit}
        onKey={onKey}
        onPaste={(text) => {
          const condition = typed === '' && !parameter ? typedCondition(text, isField) : undefined;
          // A list has lines, which the field would join.
          if (!condition || !text.trim().includes('\n')) return false;
          finish(condition);
          return true;
        }}
        eager={!parameter && typed !== ''}
        invalid={problem}
        describedBy={problem ? 'entry-problem' : undefined}
      />
      {trial && <Trial query={narrowed(draft ? undefined : query, trial)} />}
      {problem && (
        <p className="field-error" role="alert" id="entry-problem">
          {words.notUnderstood}
        </p>
      )}
    </div>
  );
}

/** How many it would be, before anything is fetched. */
function Trial({ query }: { query: SearchQuery | undefined }) {
  const count = useSearchCount(query);
  return (
    <span className="trial pale" role="status">
      {count.data ? words.wouldFind(count.data.total) : ''}
    </span>
  );
}

/** What was typed, once nothing more is. */
function useRested(typed: string): string {
  const [rested, setRested] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), typed === '' ? 0 : restMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return typed === '' ? '' : rested;
}

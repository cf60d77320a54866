/** What is searched for: chips with a field for the next one, or the text of a query. */
import { type RefObject, useMemo, useState } from 'react';
import { ServerError } from '../../data/request.ts';
import { mistakeIn } from '../../data/search.ts';
import { FieldError } from '../../parts/field-error.tsx';
import type { Condition } from '../../query/condition.ts';
import {
  conditionsOf,
  narrowed,
  queryOf,
  type SearchQuery,
  textOf,
  withCondition,
  withoutCondition,
} from '../../query/search-query.ts';
import { searchWords as words } from '../../words/search.ts';
import { Chips } from './chips.tsx';
import { ConditionEntry } from './condition-entry.tsx';
import { TextQuery } from './text-query.tsx';

interface QueryBarProps {
  readonly query: SearchQuery | undefined;
  readonly setQuery: (query: SearchQuery | undefined) => void;
  readonly isText: boolean;
  readonly showText: () => void;
  readonly showChips: (query: SearchQuery | undefined) => void;
  readonly entry: RefObject<HTMLInputElement | null>;
  readonly textField: RefObject<HTMLTextAreaElement | null>;
  /** Of the search as it is. */
  readonly error: unknown;
}

export function QueryBar({
  query,
  setQuery,
  isText,
  showText,
  showChips,
  entry,
  textField,
  error,
}: QueryBarProps) {
  const conditions = useMemo(() => conditionsOf(query), [query]);
  const isMistake = error instanceof ServerError && (error.status === 422 || error.status === 400);
  const showsText = isText || !conditions;
  return (
    <div className="query-bar">
      {showsText ? (
        <TextQuery
          text={textOf(query)}
          run={(text) => setQuery(text.trim() === '' ? undefined : { ql: text })}
          field={textField}
          mistake={mistakeIn(error)}
        />
      ) : (
        <ChipBar conditions={conditions} query={query} setQuery={setQuery} entry={entry} error={error} />
      )}
      <button
        type="button"
        className="ghost"
        disabled={!conditions}
        title={conditions ? undefined : words.notChips}
        // Chips say what parameters can say as parameters again.
        onClick={() => (showsText ? showChips(queryOf(conditions ?? [])) : showText())}
      >
        {showsText ? words.asChips : words.asText}
      </button>
      {isMistake && <FieldError error={error} />}
    </div>
  );
}

interface ChipBarProps extends Pick<QueryBarProps, 'query' | 'setQuery' | 'entry' | 'error'> {
  readonly conditions: readonly Condition[];
}

function ChipBar({ conditions, query, setQuery, entry, error }: ChipBarProps) {
  const [editing, setEditing] = useState<number>();
  const draft = editing === undefined ? undefined : conditions[editing];
  const refused = new Set(error instanceof ServerError ? Object.keys(error.fields) : []);
  const toChips = () =>
    entry.current?.closest('.chip-bar')?.querySelector<HTMLElement>('li:last-child .chip-text')?.focus();
  return (
    <div className="chip-bar">
      <Chips
        conditions={conditions}
        edit={setEditing}
        remove={(index) => setQuery(withoutCondition(query, index))}
        field={entry}
        refused={refused}
      />
      <ConditionEntry
        query={query}
        add={(condition) =>
          setQuery(
            editing === undefined ? narrowed(query, condition) : withCondition(query, editing, condition),
          )
        }
        field={entry}
        draft={draft}
        leaveDraft={() => setEditing(undefined)}
        toChips={toChips}
      />
      {conditions.length > 0 && (
        <button type="button" className="ghost" onClick={() => setQuery(undefined)}>
          {words.clear}
        </button>
      )}
    </div>
  );
}

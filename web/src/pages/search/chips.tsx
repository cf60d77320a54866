/** The conditions of a search as chips. What selects has corners, what filters is round; what is excluded is struck through. */
import { Filter, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { foreign } from '../../data/foreign.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Text } from '../../parts/text.tsx';
import { type Condition, isFilter } from '../../query/condition.ts';
import { searchWords } from '../../words/search.ts';
import { conditionWords, valueWords } from './condition-words.ts';

interface ChipsProps {
  readonly conditions: readonly Condition[];
  readonly edit: (index: number) => void;
  readonly remove: (index: number) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Parameters that the server has refused. */
  readonly refused: ReadonlySet<string>;
}

/** Arrows move between chips, Enter changes one, Delete removes it. */
export function Chips({ conditions, edit, remove, field, refused }: ChipsProps) {
  const list = useRef<HTMLUListElement>(null);
  const focus = (index: number) => {
    const chips = list.current?.querySelectorAll<HTMLElement>('.chip-text');
    if (index >= (chips?.length ?? 0)) field.current?.focus();
    else chips?.[Math.max(0, index)]?.focus();
  };
  const removed = useRef<number>(undefined);
  const removeAt = (index: number) => {
    removed.current = index;
    remove(index);
  };
  // What follows has moved up.
  useEffect(() => {
    if (removed.current === undefined) return;
    focus(removed.current);
    removed.current = undefined;
  }, [conditions.length]);
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.key === 'ArrowLeft') focus(index - 1);
    else if (event.key === 'ArrowRight') focus(index + 1);
    else if (event.key === 'Delete' || event.key === 'Backspace') removeAt(index);
    else return;
    event.preventDefault();
  };
  if (conditions.length === 0) return null;
  return (
    <ul className="search-chips" ref={list} aria-label={searchWords.conditions}>
      {conditions.map((condition, index) => {
        const words = spelledOut(foreign(conditionWords(condition)));
        const filters = isFilter(condition.field);
        return (
          <li
            key={`${index} ${words}`}
            className={`search-chip${filters ? ' filters' : ''}${refused.has(condition.field) ? ' refused' : ''}`}
          >
            <button
              type="button"
              className="chip-text"
              aria-label={searchWords.editCondition(words)}
              title={filters ? searchWords.filter : searchWords.base}
              onClick={() => edit(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
            >
              {filters && <Filter size={12} aria-hidden />}
              <Text of={foreign(condition.field)} />
              <i className={condition.not ? 'not' : undefined}>
                {searchWords.sign(condition.comparison, condition.not)}
              </i>
              <b className={condition.not ? 'excluded' : undefined}>
                <Text of={foreign(valueWords(condition))} />
              </b>
            </button>
            <button
              type="button"
              className="chip-remove"
              aria-label={searchWords.removeCondition(words)}
              onClick={() => removeAt(index)}
            >
              <X size={13} aria-hidden />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

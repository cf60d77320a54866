/** A search in the query language, with the mistake that the server finds marked at its line and column. */
import { type RefObject, useEffect, useState } from 'react';
import { foreign } from '../../data/foreign.ts';
import type { QueryMistake } from '../../data/search.ts';
import { Text } from '../../parts/text.tsx';
import { searchWords as words } from '../../words/search.ts';

interface TextQueryProps {
  readonly text: string;
  readonly run: (text: string) => void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly mistake: QueryMistake | undefined;
}

const rowsMax = 12;

/** Where the mistake is in the text, in UTF-16 units. */
function rangeOf(text: string, { line, column, length }: QueryMistake): readonly [from: number, to: number] {
  const before = text.split('\n').slice(0, line - 1);
  const from = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  return [Math.min(from, text.length), Math.min(from + length, text.length)];
}

export function TextQuery({ text, run, field, mistake }: TextQueryProps) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const isCurrent = mistake !== undefined && typed === text;
  const select = () => {
    if (!mistake || !field.current) return;
    field.current.focus();
    field.current.setSelectionRange(...rangeOf(typed, mistake));
  };
  return (
    <form
      className="search-text"
      onSubmit={(event) => {
        event.preventDefault();
        run(typed);
      }}
    >
      <textarea
        ref={field}
        className="mono"
        aria-label={words.query}
        aria-invalid={isCurrent}
        aria-describedby={isCurrent ? 'query-mistake' : 'query-hint'}
        rows={Math.min(rowsMax, Math.max(3, typed.split('\n').length))}
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          run(typed);
        }}
      />
      <div className="search-text-foot">
        <button type="submit" className="primary">
          {words.run} <kbd>{words.runKeys}</kbd>
        </button>
        {isCurrent ? (
          <button type="button" onClick={select}>
            {words.goToMistake}
          </button>
        ) : (
          <p className="pale" id="query-hint">
            {words.queryHint}
          </p>
        )}
      </div>
      {isCurrent && <Mistake text={typed} mistake={mistake} />}
    </form>
  );
}

function Mistake({ text, mistake }: { text: string; mistake: QueryMistake }) {
  const line = text.split('\n')[mistake.line - 1] ?? '';
  const from = mistake.column - 1;
  const wrong = line.slice(from, from + mistake.length);
  return (
    <p className="mistake" id="query-mistake">
      <code>
        <Text of={foreign(line.slice(0, from))} />
        <mark>{wrong === '' ? words.endOfQuery : <Text of={foreign(wrong)} />}</mark>
        <Text of={foreign(line.slice(from + wrong.length))} />
      </code>
    </p>
  );
}

import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { foreign } from '../../data/foreign.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Text } from '../../parts/text.tsx';

interface ExclusionListProps {
  readonly label: string;
  readonly hint: string;
  readonly values: readonly string[];
  readonly change: (values: readonly string[]) => void;
  readonly disabled: boolean;
}

/** Values as chips: Enter or a comma adds what was typed, the cross removes one. */
export function ExclusionList({ label, hint, values, change, disabled }: ExclusionListProps) {
  const [typed, setTyped] = useState('');
  const add = () => {
    const added = typed.split(/[\s,;]+/).filter((value) => value !== '' && !values.includes(value));
    if (added.length > 0) change([...values, ...added]);
    setTyped('');
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ',') return;
    event.preventDefault();
    add();
  };
  return (
    <div className="exclusions">
      <label className="field">
        {label}
        <input
          value={typed}
          placeholder={hint}
          disabled={disabled}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKey}
          onBlur={add}
        />
      </label>
      <ul className="chip-list" aria-label={label} hidden={values.length === 0}>
        {values.map((value) => (
          <li key={value} className="chip removable">
            <span className="mono">
              <Text of={foreign(value)} />
            </span>
            <button
              type="button"
              className="ghost"
              disabled={disabled}
              aria-label={`Remove ${spelledOut(foreign(value))}`}
              onClick={() => change(values.filter((other) => other !== value))}
            >
              <X size={13} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

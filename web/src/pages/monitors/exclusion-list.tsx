import { X } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import { foreign } from '../../data/foreign.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Text } from '../../parts/text.tsx';
import { actionWords } from '../../words/parts.ts';

/** With what is still typed in the field of that name: a form may be sent before Enter has added it. */
export function withTyped(values: readonly string[], typed: unknown): string[] {
  const added = typeof typed === 'string' ? typed.split(/[\s,;]+/).filter((value) => value !== '') : [];
  return [...new Set([...values, ...added])];
}

interface ExclusionListProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly values: readonly string[];
  readonly change: (values: readonly string[]) => void;
  readonly disabled: boolean;
}

/** Values as chips: Enter or a comma adds what was typed, the cross removes one. */
export function ExclusionList({ name, label, hint, values, change, disabled }: ExclusionListProps) {
  const [typed, setTyped] = useState('');
  const add = () => {
    if (typed.trim() !== '') change(withTyped(values, typed));
    setTyped('');
  };
  // A value that is added moves what is below it: not under a button that is being pressed.
  const onLeave = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof HTMLButtonElement)) add();
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
          name={name}
          value={typed}
          placeholder={hint}
          disabled={disabled}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKey}
          onBlur={onLeave}
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
              aria-label={actionWords.removeOne(spelledOut(foreign(value)))}
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

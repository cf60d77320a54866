/**
 * A field that completes what is typed, after the ARIA pattern: the field keeps the focus, the arrows choose, Enter and Tab accept, Escape closes
 * the list and then belongs to the page again.
 */
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { gridWords } from '../words/grid.ts';
import { anchorBelow, showPopoverAt } from './menu.tsx';

export interface Choice {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

interface ComboboxProps<Of extends Choice> {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly choices: readonly Of[];
  readonly choose: (choice: Of) => void;
  /** Enter where nothing is chosen. */
  readonly submit: (value: string) => void;
  /** Keys before they are ours; true: dealt with. */
  readonly onKey?: (event: KeyboardEvent<HTMLInputElement>) => boolean;
  readonly onPaste?: (text: string) => boolean;
  readonly onBlur?: () => void;
  readonly field?: Ref<HTMLInputElement>;
  readonly placeholder?: string;
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
  /** The first choice is taken by Enter without having been moved to. */
  readonly eager?: boolean;
}

export function Combobox<Of extends Choice>(props: ComboboxProps<Of>) {
  const { label, value, change, choices, choose, submit, onKey, onPaste, field, eager = false } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [moved, setMoved] = useState<number>();
  const at = moved ?? (eager ? 0 : -1);
  const isShown = isOpen && choices.length > 0;
  const optionId = (index: number) => `${id}-${index}`;
  const accept = (choice: Of) => {
    setMoved(undefined);
    choose(choice);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (onKey?.(event)) {
      event.preventDefault();
      return;
    }
    const chosen = isShown ? choices[at] : undefined;
    if (event.key === 'ArrowDown') {
      setOpen(true);
      setMoved(Math.min(choices.length - 1, isShown ? at + 1 : 0));
    } else if (event.key === 'ArrowUp') setMoved(Math.max(0, at - 1));
    else if (event.key === 'Escape' && isShown) setOpen(false);
    else if (event.key === 'Enter') {
      if (chosen) accept(chosen);
      else submit(value);
    } else if (event.key === 'Tab' && chosen && value !== '') accept(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div className="combobox" ref={box}>
      <input
        ref={field}
        role="combobox"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && at >= 0 ? optionId(at) : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid}
        placeholder={props.placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={({ target }) => {
          change(target.value);
          setOpen(true);
          setMoved(undefined);
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          props.onBlur?.();
        }}
        onPaste={(event) => {
          if (onPaste?.(event.clipboardData.getData('text'))) event.preventDefault();
        }}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <ChoiceList id={`${id}-list`} below={box}>
          {choices.map((choice, index) => (
            <li
              key={choice.id}
              id={optionId(index)}
              role="option"
              aria-selected={index === at}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => accept(choice)}
            >
              <span>{choice.label}</span>
              {choice.hint !== undefined && <small>{choice.hint}</small>}
            </li>
          ))}
        </ChoiceList>
      )}
    </div>
  );
}

interface ChoiceListProps {
  readonly id: string;
  readonly below: React.RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

function ChoiceList({ id, below, children }: ChoiceListProps) {
  const element = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const list = element.current;
    if (!list || !below.current) return;
    list.style.minWidth = `${Math.max(220, below.current.clientWidth)}px`;
    showPopoverAt(list, anchorBelow(below.current));
    list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <ul
      ref={element}
      id={id}
      popover="manual"
      role="listbox"
      className="combobox-choices"
      aria-label={gridWords.choices}
    >
      {children}
    </ul>
  );
}

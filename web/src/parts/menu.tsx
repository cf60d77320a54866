/**
 * A menu after the ARIA pattern: arrows, Home and End move, a letter goes to the next item that begins with it, Escape and Tab close it and give
 * the focus back. It is a popover, so nothing that scrolls cuts it off.
 */
import '../styles/menu.css';
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** What follows the label: a number, the text that it is about. */
  readonly hint?: ReactNode;
  /** Why it cannot be chosen. */
  readonly disabled?: string | undefined;
  /** Begins another group. */
  readonly apart?: boolean;
  /** The menu stays open: its items change. */
  readonly stays?: boolean;
  readonly run: () => void;
}

/** Where a menu opens: below an element, or at the pointer. */
export type MenuAnchor = { readonly x: number; readonly y: number; readonly above?: number };

export const anchorBelow = (element: Element): MenuAnchor => {
  const { left, bottom, top } = element.getBoundingClientRect();
  return { x: left, y: bottom + 2, above: top - 2 };
};

const margin = 8;

/** Below the anchor, or above it where there is no room, and within the window. */
export function showPopoverAt(popover: HTMLElement, anchor: MenuAnchor): void {
  if (!popover.matches(':popover-open')) popover.showPopover();
  const { width, height } = popover.getBoundingClientRect();
  const fits = anchor.y + height + margin <= innerHeight;
  const top = fits ? anchor.y : (anchor.above ?? anchor.y) - height;
  popover.style.left = `${Math.max(margin, Math.min(anchor.x, innerWidth - width - margin))}px`;
  popover.style.top = `${Math.max(margin, Math.min(top, innerHeight - height - margin))}px`;
}

interface MenuProps {
  readonly label: string;
  readonly head?: ReactNode;
  readonly items: readonly MenuItem[];
  readonly anchor: MenuAnchor;
  readonly close: () => void;
}

export function Menu({ label, head, items, anchor, close }: MenuProps) {
  const element = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    before.current = document.activeElement;
    return () => {
      // Only what the menu itself had is given back.
      const has = document.activeElement;
      const lost = has === null || has === document.body || element.current?.contains(has);
      if (lost && before.current instanceof HTMLElement) before.current.focus();
    };
  }, []);
  useLayoutEffect(() => {
    if (element.current) showPopoverAt(element.current, anchor);
  }, [anchor, items.length]);
  useEffect(() => {
    element.current?.querySelectorAll<HTMLElement>('[role=menuitem]')[at]?.focus();
  }, [at, items.length]);
  useEffect(() => {
    const leave = (event: PointerEvent) => {
      if (!(event.target instanceof Node && element.current?.contains(event.target))) close();
    };
    addEventListener('pointerdown', leave, true);
    addEventListener('resize', close);
    return () => {
      removeEventListener('pointerdown', leave, true);
      removeEventListener('resize', close);
    };
  }, [close]);
  const choose = (item: MenuItem | undefined) => {
    if (!item || item.disabled !== undefined) return;
    if (item.stays) setAt(0);
    else close();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    event.stopPropagation();
    if (key === 'ArrowDown') setAt((at + 1) % items.length);
    else if (key === 'ArrowUp') setAt((at - 1 + items.length) % items.length);
    else if (key === 'Home') setAt(0);
    else if (key === 'End') setAt(items.length - 1);
    else if (key === 'Enter' || key === ' ') choose(items[at]);
    else if (key === 'Escape' || key === 'Tab') close();
    else if (key.length === 1) setAt(nextWith(key, items, at));
    else return;
    event.preventDefault();
  };
  return (
    <div ref={element} popover="manual" className="menu" onKeyDown={onKeyDown}>
      {head !== undefined && <div className="menu-head">{head}</div>}
      <div role="menu" aria-label={label}>
        {items.map(({ id, label: name, hint, disabled, apart }, index) => (
          <Fragment key={id}>
            {apart && <hr />}
            <div
              role="menuitem"
              tabIndex={index === at ? 0 : -1}
              aria-disabled={disabled !== undefined}
              title={disabled}
              onPointerMove={() => setAt(index)}
              onClick={() => choose(items[index])}
            >
              <span>{name}</span>
              {hint !== undefined && <small>{hint}</small>}
            </div>
          </Fragment>
        ))}
      </div>
    </div>
  );
}

function nextWith(letter: string, items: readonly MenuItem[], at: number): number {
  const rest = items.map((_, index) => (at + 1 + index) % items.length);
  const begins = (index: number) => items[index]?.label.toLowerCase().startsWith(letter.toLowerCase());
  return rest.find(begins) ?? at;
}

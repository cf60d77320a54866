/** A value with what can be done with it: a click, a right click or `.` while it has the focus opens the operations. */
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import type { Foreign } from '../data/foreign.ts';
import { valueMenuWords } from '../words/value-menu.ts';
import { anchorBelow, type MenuAnchor } from './menu.tsx';
import { ValueOperations } from './value-operations.tsx';

interface ValueMenuProps {
  /** A search parameter or a column, such as ip.address. */
  readonly field: string;
  readonly value: Foreign;
  /** How the value is drawn. */
  readonly children: ReactNode;
}

export function ValueMenu({ field, value, children }: ValueMenuProps) {
  const [anchor, setAnchor] = useState<MenuAnchor>();
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== '.') return;
    event.preventDefault();
    event.stopPropagation();
    setAnchor(anchorBelow(event.currentTarget));
  };
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault();
    setAnchor({ x: event.clientX, y: event.clientY });
  };
  return (
    <>
      <button
        type="button"
        className="value-button"
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        title={valueMenuWords.title}
        onClick={({ currentTarget }) => setAnchor(anchorBelow(currentTarget))}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        {children}
      </button>
      {anchor && (
        <ValueOperations values={[{ field, value }]} anchor={anchor} close={() => setAnchor(undefined)} />
      )}
    </>
  );
}

import type { ReactNode } from 'react';

interface WideTableProps {
  /** What the table lists, for those who do not see that it goes on. */
  readonly label: string;
  readonly panel?: boolean;
  readonly children: ReactNode;
}

/** A table that may be wider than the screen: it scrolls by itself, also with the keyboard. */
export function WideTable({ label, panel = false, children }: WideTableProps) {
  return (
    <section className={panel ? 'panel scroll-x' : 'scroll-x'} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

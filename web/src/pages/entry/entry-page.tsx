import type { ReactNode } from 'react';
import { shellWords } from '../../words/app.ts';

export function EntryPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="entry">
      <div className="entry-box">
        <p className="brand">
          <img src="/ui/icon.svg" alt="" width="28" height="28" /> {shellWords.product}
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

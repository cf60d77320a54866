import { memo } from 'react';
import type { Foreign } from '../data/foreign.ts';
import { textPieces } from '../data/unseen.ts';

/** Any text that somebody else wrote: isolated from the direction of what is around it, with characters that cannot be seen shown in boxes. */
export const Text = memo(function Text({ of, lines = false }: { of: Foreign; lines?: boolean }) {
  return (
    <bdi className={lines ? 'text lines' : 'text'}>
      {textPieces(of, lines).map(({ text, boxed }, index) =>
        boxed ? (
          <span key={index} className="boxed">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  );
});

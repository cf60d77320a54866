import { memo } from 'react';
import type { Foreign } from '../data/foreign.ts';
import { textPieces } from '../data/unseen.ts';

interface TextProps {
  readonly of: Foreign;
  /** Line feeds are what they are. */
  readonly lines?: boolean;
  readonly className?: string;
}

/** Any text that somebody else wrote: isolated from the direction of what is around it, with characters that cannot be seen shown in boxes. */
export const Text = memo(function Text({ of, lines = false, className }: TextProps) {
  const pieces = textPieces(of, lines);
  const classes = [lines ? 'text lines' : 'text', className].filter(Boolean).join(' ');
  if (pieces.length === 1 && !pieces[0]?.boxed) return <bdi className={classes}>{pieces[0]?.text}</bdi>;
  return (
    <bdi className={classes}>
      {pieces.map(({ text, boxed }, index) =>
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

import { memo } from 'react';
import { type Foreign, foreign, plain } from '../data/foreign.ts';
import { codePoint, spelledOut } from '../data/unseen.ts';
import { type NamePiece, namePieces, spokenSteps, termOf } from '../names/match-marks.ts';

export interface MatchOfName {
  readonly text: Foreign;
  readonly host: Foreign;
  readonly steps: readonly { readonly at: number; readonly removed: Foreign; readonly inserted: Foreign }[];
}

interface NameProps {
  readonly host: Foreign;
  readonly match?: MatchOfName | undefined;
  readonly big?: boolean;
}

/** A host name with the marks that say why it was matched, and below it its punycode where that differs. */
export const Name = memo(function Name({ host, match, big = false }: NameProps) {
  const steps = match?.steps.map(({ at, removed, inserted }) => ({
    at,
    removed: plain(removed),
    inserted: plain(inserted),
  }));
  const text = plain(host);
  const pieces = namePieces(
    text,
    match && steps ? { host: plain(match.host), text: plain(match.text), steps } : undefined,
  );
  const ascii = punycodeOf(text);
  const term = match && steps && steps.length > 0 ? termOf(plain(match.text), steps) : undefined;
  return (
    <span className={big ? 'who big' : 'who'}>
      <bdi className="name" dir="ltr" translate="no">
        {pieces.map((piece, index) => (
          <Piece key={index} piece={piece} />
        ))}
      </bdi>
      {ascii !== undefined && (
        <span className="punycode" translate="no">
          {ascii}
        </span>
      )}
      {term !== undefined && steps && (
        <span className="sr">
          , looks like {spelledOut(foreign(term))}: {spelledOut(foreign(spokenSteps(steps)))}
        </span>
      )}
    </span>
  );
});

function Piece({ piece: { kind, text, script } }: { piece: NamePiece }) {
  if (kind === 'gap') return <span className="gap" title={`"${text}" left out here`} />;
  const title = script === undefined ? undefined : `${codePoint(text)}, ${script}`;
  return (
    <span className={script === undefined ? kind : `${kind} alien`} title={title}>
      {text}
    </span>
  );
}

/** As the DNS has it, where the name is written in other characters. */
function punycodeOf(host: string): string | undefined {
  if (/^[\x20-\x7e]*$/.test(host)) return undefined;
  try {
    const { hostname } = new URL(`http://${host}`);
    return hostname === host ? undefined : hostname;
  } catch {
    return undefined;
  }
}

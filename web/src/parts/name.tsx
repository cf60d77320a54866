import { memo } from 'react';
import { type NamePiece, namePieces, spokenSteps, termOf } from '../../../src/model/triage/match-marks.ts';
import { codePoint } from '../../../src/model/triage/unseen-characters.ts';
import { type Foreign, foreign, plain } from '../data/foreign.ts';
import { spelledOut } from '../data/unseen.ts';
import { nameWords } from '../words/parts.ts';

export interface MatchOfName {
  readonly text: Foreign;
  readonly host: Foreign;
  readonly steps: readonly { readonly at: number; readonly removed: Foreign; readonly inserted: Foreign }[];
}

interface NameProps {
  readonly host: Foreign;
  readonly match?: MatchOfName | undefined;
  readonly big?: boolean;
  /** Without what only screen readers read: a row of a list says it in its description, which costs no layout. */
  readonly brief?: boolean;
}

/** What a screen reader says of the marks; undefined where there are none. */
export function spokenMatch(match: MatchOfName | undefined): string | undefined {
  const steps = plainSteps(match);
  if (!match || steps.length === 0) return undefined;
  const term = termOf(plain(match.text), steps);
  return term === undefined
    ? undefined
    : nameWords.looksLike(spelledOut(foreign(term)), spelledOut(foreign(spokenSteps(steps))));
}

const plainSteps = (match: MatchOfName | undefined) =>
  match?.steps.map(({ at, removed, inserted }) => ({
    at,
    removed: plain(removed),
    inserted: plain(inserted),
  })) ?? [];

/** A host name with the marks that say why it was matched, and below it its punycode where that differs. */
export const Name = memo(function Name({ host, match, big = false, brief = false }: NameProps) {
  const text = plain(host);
  const pieces = namePieces(
    text,
    match && { host: plain(match.host), text: plain(match.text), steps: plainSteps(match) },
  );
  const ascii = punycodeOf(text);
  const spoken = brief ? undefined : spokenMatch(match);
  const name = (
    <bdi className={big ? 'name big' : 'name'} dir="ltr" translate="no">
      {pieces.map(pieceElement)}
    </bdi>
  );
  if (ascii === undefined && spoken === undefined) return name;
  return (
    <span className="who">
      {name}
      {ascii !== undefined && (
        <span className="punycode" translate="no">
          {ascii}
        </span>
      )}
      {spoken !== undefined && <span className="sr">{`, ${spoken}`}</span>}
    </span>
  );
});

function pieceElement({ kind, text, script }: NamePiece, index: number) {
  if (kind === 'gap') return <span key={index} className="gap" title={nameWords.leftOut(text)} />;
  const title = script === undefined ? undefined : `${codePoint(text)}, ${script}`;
  return (
    <span key={index} className={script === undefined ? kind : `${kind} alien`} title={title}>
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

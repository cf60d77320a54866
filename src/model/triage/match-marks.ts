/**
 * Why a name was matched, as marks in the name: which of its characters were put in or exchanged, and where some were left out. The marks are
 * made by undoing the steps from the matched text back to the term and applying them again, so they say neither more nor less than the steps.
 */
import { codePoint, isUnseenInName } from './unseen-characters.ts';

export interface MatchStep {
  /** In UTF-16 units of the text that the steps before have made. */
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

export interface NameMatch {
  readonly host: string;
  readonly text: string;
  readonly steps: readonly MatchStep[];
}

export interface NamePiece {
  /** `rest`: outside the matched text; `term`: as in the term; `put`: put in or exchanged; `gap`: left out; `boxed`: cannot be seen. */
  readonly kind: 'rest' | 'term' | 'put' | 'gap' | 'boxed';
  /** Of a gap what was left out, of a boxed character its code point. */
  readonly text: string;
  /** Name of the script, where it is not Latin. */
  readonly script?: string;
}

/** The term that the steps start from; undefined if they do not lead to this text. */
export function termOf(text: string, steps: readonly MatchStep[]): string | undefined {
  let now = text;
  for (const { at, removed, inserted } of steps.toReversed()) {
    if (now.slice(at, at + inserted.length) !== inserted) return undefined;
    now = now.slice(0, at) + removed + now.slice(at + inserted.length);
  }
  return now;
}

interface Cell {
  readonly unit: string;
  readonly put: boolean;
  /** What was left out before this unit. */
  gap: string;
}

/** The units of the text with their origin; the last one stands for its end. */
function cellsOf(term: string, steps: readonly MatchStep[]): readonly Cell[] {
  const cells: Cell[] = [...term.split(''), ''].map((unit) => ({ unit, put: false, gap: '' }));
  for (const { at, removed, inserted } of steps) {
    const added = inserted.split('').map((unit) => ({ unit, put: true, gap: '' }));
    const gone = cells.splice(at, removed.length, ...added);
    const next = cells[at];
    // A gap before a unit that goes stays where it was.
    const gaps = gone.map(({ gap }) => gap).join('') + (inserted === '' ? removed : '');
    if (next) next.gap = gaps + next.gap;
  }
  return cells;
}

const scripts = [
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Lao',
  'Georgian',
  'Hangul',
  'Cherokee',
  'Hiragana',
  'Katakana',
  'Han',
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const);

export function scriptOf(character: string): string | undefined {
  if (/[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(character)) return undefined;
  return scripts.find(([, pattern]) => pattern.test(character))?.[0] ?? 'another script';
}

/** Runs of like characters are one piece, so that a row of a list has few elements. */
class Pieces {
  readonly list: { kind: NamePiece['kind']; text: string; script?: string }[] = [];

  add(kind: NamePiece['kind'], character: string): void {
    if (kind !== 'gap' && isUnseenInName(character)) {
      this.list.push({ kind: 'boxed', text: codePoint(character) });
      return;
    }
    const script = kind === 'gap' || character < '\u007f' ? undefined : scriptOf(character);
    const last = this.list.at(-1);
    if (last && last.kind === kind && last.script === undefined && script === undefined && kind !== 'gap')
      last.text += character;
    else this.list.push({ kind, text: character, ...(script === undefined ? {} : { script }) });
  }

  addAll(kind: NamePiece['kind'], text: string): void {
    for (const character of text) this.add(kind, character);
  }
}

/** A host name in pieces. Where the match does not fit it, the name has no marks. */
export function namePieces(host: string, match?: NameMatch): readonly NamePiece[] {
  const pieces = new Pieces();
  const from = match === undefined || match.text === '' ? -1 : host.indexOf(match.text);
  const term = match && from >= 0 ? termOf(match.text, match.steps) : undefined;
  if (match === undefined || term === undefined) {
    pieces.addAll(from >= 0 ? 'term' : 'rest', host);
    return pieces.list;
  }
  pieces.addAll('rest', host.slice(0, from));
  const cells = cellsOf(term, match.steps);
  let at = 0;
  for (const character of match.text) {
    const units = cells.slice(at, at + character.length);
    const gap = units.map((cell) => cell.gap).join('');
    if (gap !== '') pieces.add('gap', gap);
    pieces.add(units.some(({ put }) => put) ? 'put' : 'term', character);
    at += character.length;
  }
  const last = cells.at(-1)?.gap ?? '';
  // The suffix of a term that is a domain is not left out of the name: it stands elsewhere or is another one.
  if (last !== '' && !last.startsWith('.')) pieces.add('gap', last);
  pieces.addAll('rest', host.slice(from + match.text.length));
  return pieces.list;
}

/** For screen readers: `n left out, o became 0`. */
export function spokenSteps(steps: readonly MatchStep[]): string {
  return steps
    .map(({ removed, inserted }) => {
      if (removed === '') return `${inserted} put in`;
      return inserted === '' ? `${removed} left out` : `${removed} became ${inserted}`;
    })
    .join(', ');
}

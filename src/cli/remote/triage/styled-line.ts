/**
 * A line of the screen: pieces of text with a style, cut or filled to a width. Whatever the text is, no control character of it reaches
 * the terminal: this is the one place where text becomes output.
 */
import { codePoint, isUnseen } from '../../../model/triage/unseen-characters.ts';
import { displayWidth, fitted } from '../../listing/display-width.ts';

export type Style =
  | 'bold'
  | 'dim'
  | 'underline'
  | 'reverse'
  | 'red'
  | 'yellow'
  | 'green'
  | 'blue'
  | 'magenta';

export interface Span {
  readonly text: string;
  readonly styles?: readonly Style[];
}

export type Line = readonly Span[];

const attributes: Readonly<Record<Style, number>> = {
  bold: 1,
  dim: 2,
  underline: 4,
  reverse: 7,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
};

export function span(text: string, ...styles: readonly Style[]): Span {
  return { text, styles };
}

/** Characters that cannot be seen as their code points, in at most `charactersMax` characters. */
export function visible(text: string): string {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
  if (/^[\x20-\x7e]*$/.test(cut)) return cut;
  return Array.from(cut, (character) => (isUnseen(character) ? codePoint(character) : character)).join('');
}

const charactersMax = 2000;

/** Exactly `width` columns, with the control sequences of its styles. */
export function drawLine(line: Line, width: number, withColour: boolean): string {
  let [drawn, left] = ['', width];
  for (const { text, styles = [] } of line) {
    if (left <= 0) break;
    const shown = fitted(visible(text), left);
    drawn += styled(shown, styles, withColour);
    left -= displayWidth(shown);
  }
  return left > 0 ? drawn + ' '.repeat(left) : drawn;
}

function styled(text: string, styles: readonly Style[], withColour: boolean): string {
  const codes = styles.map((style) => attributes[style]).filter((code) => withColour || code < 30);
  return codes.length === 0 || text === '' ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`;
}

/** Cut and filled to a width, for columns. */
export function cell(text: string, width: number, ...styles: readonly Style[]): Span {
  const shown = fitted(visible(text), width);
  return span(shown + ' '.repeat(Math.max(0, width - displayWidth(shown))), ...styles);
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + displayWidth(visible(text)), 0);
}

/** Text in lines of a width, broken at spaces, and inside a word that is longer. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of visible(text).split(' ')) {
    let rest = word;
    if (line !== '' && displayWidth(line) + 1 + displayWidth(rest) > width) {
      lines.push(line);
      line = '';
    }
    while (displayWidth(rest) > width) {
      const head = headOf(rest, width);
      lines.push(head);
      rest = rest.slice(head.length);
    }
    line = line === '' ? rest : `${line} ${rest}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** At least one character, so that every step gets on. */
function headOf(text: string, width: number): string {
  let [head, used] = ['', 0];
  for (const character of text) {
    const next = used + displayWidth(character);
    if (head !== '' && next > width) break;
    head += character;
    used = next;
  }
  return head;
}

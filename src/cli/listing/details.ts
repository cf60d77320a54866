/** One thing as text for a terminal: a heading, then names and values below each other, wrapped to its width. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { type Colour, coloured } from './colour.ts';
import { cellText } from './column.ts';
import { displayWidth } from './display-width.ts';

export interface Detail {
  readonly name: string;
  readonly value: unknown;
  readonly colour?: Colour | undefined;
}

export interface Section {
  readonly title?: string;
  /** Those without a value are left out. */
  readonly details: readonly Detail[];
}

interface DetailsStyle {
  readonly columns: number;
  readonly colour: boolean;
}

/** Values of most sections stand below each other. */
const usualNameWidth = 14;

export function detailsText(sections: readonly Section[], style: DetailsStyle): string {
  const shown = sections
    .map(({ title, details }) => ({
      title,
      rows: details.flatMap(({ name, value, colour }) => {
        const text = escapeForTerminal(cellText(value));
        return text === '' ? [] : [{ name, text, colour }];
      }),
    }))
    .filter(({ rows }) => rows.length > 0);
  const paint = (text: string, colour: Colour | undefined) => (style.colour ? coloured(text, colour) : text);
  const blocks = shown.map(({ title, rows }) => {
    const indent = title === undefined ? '' : '  ';
    const names = rows.map(({ name }) => displayWidth(name));
    const nameWidth = Math.max(usualNameWidth - indent.length, ...names);
    const lines = rows.flatMap(({ name, text, colour }) => {
      const valueAt = indent.length + nameWidth + 2;
      const [first = '', ...rest] = wrapped(text, Math.max(20, style.columns - valueAt));
      const head = `${indent}${paint(name.padEnd(nameWidth), 'grey')}  ${paint(first, colour)}`;
      return [head, ...rest.map((line) => ' '.repeat(valueAt) + paint(line, colour))];
    });
    return [...(title === undefined ? [] : [paint(title, 'bold')]), ...lines].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

/** At spaces where there are some. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(joined) > width) {
      lines.push(line);
      line = word;
    } else line = joined;
  }
  return [...lines, line];
}

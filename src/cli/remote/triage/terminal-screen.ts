/**
 * The terminal as a screen: lines that are drawn where they have changed, keys, and the size. What the terminal was before is restored
 * however the program ends.
 */
import type { ReadStream, WriteStream } from 'node:tty';
import { KeyDecoder } from './key-decoder.ts';
import { drawLine, type Line } from './styled-line.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

interface ScreenEvents {
  readonly onKey: (key: string) => void;
  readonly onResize: () => void;
}

/** The other screen of the terminal, no cursor, no wrapping at the end of a line, pasted text marked as such; and back. */
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h\u001b[2J';
const leave = '\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l';
/** A terminal sends the rest of a sequence at once; a person does not press the next key as soon. */
const escapeMs = 40;
const smallest = { columns: 20, rows: 6 };

export class TerminalScreen {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #withColour: boolean;
  readonly #decoder = new KeyDecoder();
  #drawn: readonly string[] = [];
  #isOpen = false;
  #escapeTimer: NodeJS.Timeout | undefined;
  #events: ScreenEvents | undefined;

  constructor(input: ReadStream, output: WriteStream, withColour: boolean) {
    this.#input = input;
    this.#output = output;
    this.#withColour = withColour;
  }

  get size(): ScreenSize {
    return {
      columns: Math.max(this.#output.columns || 80, smallest.columns),
      rows: Math.max(this.#output.rows || 24, smallest.rows),
    };
  }

  open(events: ScreenEvents): void {
    this.#events = events;
    process.on('exit', this.close);
    this.#output.on('resize', this.#onResize);
    this.#input.setEncoding('utf8').on('data', this.#onData);
    this.resume();
  }

  /** Also after the program was stopped and goes on. */
  resume(): void {
    this.#isOpen = true;
    this.#drawn = [];
    this.#input.setRawMode(true);
    this.#input.resume();
    this.#output.write(enter);
  }

  /** The terminal as it was. May be called at any time, and more than once. */
  readonly suspend = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#output.write(leave);
    this.#input.setRawMode(false);
  };

  readonly close = (): void => {
    this.suspend();
    clearTimeout(this.#escapeTimer);
    process.removeListener('exit', this.close);
    this.#output.removeListener('resize', this.#onResize);
    this.#input.removeListener('data', this.#onData);
    this.#input.pause();
  };

  /** Draws the lines that differ from those on the screen. */
  draw(lines: readonly Line[]): void {
    if (!this.#isOpen) return;
    const { columns, rows } = this.size;
    const wanted = Array.from({ length: rows }, (_, row) =>
      drawLine(lines[row] ?? [], columns, this.#withColour),
    );
    const changed = wanted
      .map((text, row) => (text === this.#drawn[row] ? '' : `\u001b[${row + 1};1H${text}`))
      .join('');
    this.#drawn = wanted;
    if (changed !== '') this.#output.write(changed);
  }

  /** Puts text into the clipboard, where the terminal allows it. */
  copy(text: string): void {
    this.#output.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  }

  readonly #onResize = (): void => {
    this.#drawn = [];
    if (this.#isOpen) this.#output.write('\u001b[2J');
    this.#events?.onResize();
  };

  readonly #onData = (chunk: string): void => {
    clearTimeout(this.#escapeTimer);
    this.#press(this.#decoder.read(chunk));
    if (this.#decoder.isPending)
      this.#escapeTimer = setTimeout(() => this.#press(this.#decoder.end()), escapeMs);
  };

  #press(keys: readonly string[]): void {
    for (const key of keys) this.#events?.onKey(key);
  }
}

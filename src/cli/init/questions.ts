/** Questions on a terminal, with defaults in brackets. Ctrl-C or the end of the input ends the program, and nothing was written. */
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { Problem } from '../../model/problem.ts';

export interface Question<Value> {
  readonly text: string;
  /** What Enter stands for, as one would type it. */
  readonly fallback: string;
  /** Throws a Problem whose message says what is expected; the question is then asked again. */
  readonly parse: (text: string) => Value;
}

export class Questions {
  readonly #lines: Interface;
  #isOver = false;
  #isSilent = false;

  constructor() {
    const { stdin, stdout } = process;
    const echo = new Writable({
      write: (chunk, _encoding, done) => {
        if (!this.#isSilent) stdout.write(chunk);
        done();
      },
    });
    const output = Object.assign(echo, { columns: stdout.columns });
    this.#lines = createInterface({ input: stdin, output, terminal: true });
    const leave = () => {
      if (this.#isOver) return;
      stdout.write('\nNothing was written.\n');
      process.exit(130);
    };
    this.#lines.on('SIGINT', leave).on('close', leave);
  }

  async ask<Value>({ text, fallback, parse }: Question<Value>): Promise<Value> {
    const shown = fallback === '' ? 'none' : escapeForTerminal(fallback);
    for (;;) {
      const answer = (await this.#lines.question(`  ${text} [${shown}]: `)).trim();
      try {
        return parse(answer === '' ? fallback : answer);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        process.stdout.write(`    ${escapeForTerminal(error.message)}\n`);
      }
    }
  }

  /** What is typed is not shown. */
  async askSecret(text: string): Promise<string> {
    process.stdout.write(`  ${text} (not shown): `);
    this.#isSilent = true;
    try {
      return await this.#lines.question('');
    } finally {
      this.#isSilent = false;
      process.stdout.write('\n');
    }
  }

  async confirm(text: string): Promise<boolean> {
    return this.ask({ text, fallback: 'yes', parse: parseYes });
  }

  close(): void {
    this.#isOver = true;
    this.#lines.close();
  }
}

function parseYes(text: string): boolean {
  if (/^y(?:es)?$/i.test(text)) return true;
  if (/^no?$/i.test(text)) return false;
  throw new Problem('invalid-parameters', 'yes or no');
}

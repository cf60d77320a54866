import { fieldProblem, type Problem } from '../problem.ts';

/** A place in the text of a pattern. Problems name the place as people count: the first character is 1. */
export class PatternReader {
  readonly #text: string;
  readonly #field: string;
  at = 0;

  constructor(text: string, field: string) {
    this.#text = text;
    this.#field = field;
  }

  /** The next character; empty at the end. */
  peek(): string {
    return this.#text.charAt(this.at);
  }

  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.at);
  }

  /** Passes over the text if it comes next. */
  accepts(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  take(): string {
    return this.#text.charAt(this.at++);
  }

  /** Passes over everything up to and including the text; undefined where it does not come. */
  takeThrough(text: string): string | undefined {
    const end = this.#text.indexOf(text, this.at);
    if (end < 0) return undefined;
    const taken = this.#text.slice(this.at, end);
    this.at = end + text.length;
    return taken;
  }

  problem(message: string, at = this.at): Problem {
    return fieldProblem('invalid-parameters', this.#field, `${message} (character ${at + 1})`);
  }
}

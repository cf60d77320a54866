import { fieldProblem, type Problem } from '../problem.ts';

/** A position in the text of a pattern. Problems report it counted from 1. */
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

  /** Consumes the text if it comes next. */
  accepts(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  read(): string {
    return this.#text.charAt(this.at++);
  }

  /** Consumes everything through the text, and returns what comes before it; undefined where it does not occur. */
  readThrough(text: string): string | undefined {
    const end = this.#text.indexOf(text, this.at);
    if (end < 0) return undefined;
    const before = this.#text.slice(this.at, end);
    this.at = end + text.length;
    return before;
  }

  problem(message: string, at = this.at): Problem {
    return fieldProblem('invalid-parameters', this.#field, `${message} (character ${at + 1})`);
  }
}

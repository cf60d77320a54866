/**
 * Short answers that were given lately, for those who ask the same again while nothing has changed: programs that enrich
 * events ask for few names, again and again. Any change in the store forgets them all.
 */
import type { Framing } from './framing.ts';

export interface ShortAnswer {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly framing: Framing;
}

const answerCharactersMax = 16_384;
const charactersMax = 16 << 20;

/** Parameters that change nothing in what is found, or nothing that depends on the time. */
const timeless = /^(?:\?(?:(?:swclient|version|id|limit)=[^&]*(?:&|$))*)?$/;

export class HotAnswers {
  readonly #answers = new Map<string, ShortAnswer>();
  #characters = 0;
  #state: unknown;

  /** Whether the answer depends on nothing but the path, these parameters, the key's maxima and what the store holds. */
  static fits(query: string): boolean {
    return timeless.test(query);
  }

  find(question: string, state: unknown): ShortAnswer | undefined {
    if (state === this.#state) return this.#answers.get(question);
    this.#forget();
    this.#state = state;
    return undefined;
  }

  keep(question: string, state: unknown, answer: ShortAnswer): void {
    if (state !== this.#state || answer.text.length > answerCharactersMax) return;
    if (this.#characters > charactersMax) this.#forget();
    this.#answers.set(question, answer);
    this.#characters += answer.text.length + question.length;
  }

  #forget(): void {
    this.#answers.clear();
    this.#characters = 0;
  }
}

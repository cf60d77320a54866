/** Matching one text in steps, so that a costly pattern can be interrupted within a text and resumed. */

export interface PatternMatcher {
  /** Begins a text, the first `length` of these bytes: they must stay as they are. What was not finished of the one before is forgotten. */
  begin(text: Uint8Array, length: number): void;
  /**
   * Continues until the text is decided or the work exceeds `workMax`; undefined in the second case. A unit of work is one state of the
   * automaton, or one word of a set of states, so it takes about the same time whatever the pattern.
   */
  resume(workMax: number): boolean | undefined;
  /** Frees what can be built again. Not between `begin` and the end of a text. */
  dropCache(): void;
}

/** A text as matchers read it: a byte for each character, the same for all beyond ASCII, which no pattern can name. */
export function matchedBytes(text: string): Uint8Array {
  return Buffer.from(text.replace(/[^\0-\x7f]/g, '\x80'), 'latin1');
}

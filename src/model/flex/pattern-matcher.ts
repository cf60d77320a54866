/** Matching one text in steps, so that a costly pattern can be interrupted within a text and resumed. */

export interface PatternMatcher {
  /** Begins a text. What was not finished of the one before is forgotten. */
  begin(text: string): void;
  /**
   * Continues until the text is decided or the work exceeds `workMax`; undefined in the second case. A unit of work is one state of the
   * automaton, or one word of a set of states, so it takes about the same time whatever the pattern.
   */
  resume(workMax: number): boolean | undefined;
  /** Frees what can be built again. Not between `begin` and the end of a text. */
  dropCache(): void;
}

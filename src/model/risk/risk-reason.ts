/**
 * Why a score is what it is. What third parties wrote (an e-mail address, a registrar, a word of a title) is apart from our own words, so
 * that nothing they wrote can pass for a sentence of ours.
 */
export interface RiskReason {
  /** Stable, for programs: `shared-e-mail`, `registration-age`. */
  readonly code: string;
  /** In our own words, for humans; may be reworded. */
  readonly reason: string;
  /** What a third party wrote, as it is: untrusted text. */
  readonly value?: string;
}

/** `name server operator` becomes `name-server-operator`. */
export function codeOf(words: string): string {
  return words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

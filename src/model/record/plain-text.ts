/** Texts that normalisation leaves as they are, apart from the case of letters: printable ASCII, words with single spaces between them. */

const other = /[^ -~]|^ | $| {2}/;

/** Nearly all texts of records are. A single scan, where normalising would make several copies. */
export function isPlainText(text: string): boolean {
  return !other.test(text);
}

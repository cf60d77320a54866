/** Trains the character trigram language model, with additive smoothing. */
import {
  edgeSymbol,
  letterStep,
  letterSymbols,
  symbolOf,
  trigramIndex,
} from '../../src/model/risk/name/letter-model.ts';

/** The pseudocount of each trigram (Lidstone smoothing). */
const pseudocount = 0.5;

export function trainLetterModel(labels: Iterable<string>): Uint8Array {
  const counts = new Float64Array(letterSymbols ** 3).fill(pseudocount);
  for (const label of labels) {
    let [first, second] = [edgeSymbol, edgeSymbol];
    for (let at = 0; at <= label.length; at += 1) {
      const third = at === label.length ? edgeSymbol : symbolOf(label.charCodeAt(at));
      const index = trigramIndex(first, second, third);
      counts[index] = (counts[index] as number) + 1;
      first = second;
      second = third;
    }
  }
  const table = new Uint8Array(counts.length);
  for (let row = 0; row < counts.length; row += letterSymbols) {
    let sum = 0;
    for (let at = row; at < row + letterSymbols; at += 1) sum += counts[at] as number;
    for (let at = row; at < row + letterSymbols; at += 1)
      table[at] = Math.min(255, Math.round(-Math.log((counts[at] as number) / sum) / letterStep));
  }
  return table;
}

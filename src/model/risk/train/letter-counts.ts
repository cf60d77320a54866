/** Learns how usual each character is after the two before it. */
import { edgeSymbol, letterStep, letterSymbols, placeOf, symbolOf } from '../letter-model.ts';

/** As if every character had been seen so often after every other two, so that none is impossible. */
const seenBefore = 0.5;

export function letterTable(labels: Iterable<string>): Uint8Array {
  const counts = new Float64Array(letterSymbols ** 3).fill(seenBefore);
  for (const label of labels) {
    let [first, second] = [edgeSymbol, edgeSymbol];
    for (let at = 0; at <= label.length; at += 1) {
      const third = at === label.length ? edgeSymbol : symbolOf(label.charCodeAt(at));
      const place = placeOf(first, second, third);
      counts[place] = (counts[place] as number) + 1;
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

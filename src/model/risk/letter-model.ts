/** How usual each character is after the two before it, learnt from ordinary names: random letters are unusual. */
import { labelCharactersMax } from './name-parts.ts';

/** a-z, 0-9, hyphen, anything else, and the edge of the label. */
export const letterSymbols = 39;
const [hyphenSymbol, otherSymbol] = [36, 37];
export const edgeSymbol = 38;

/** The table holds logarithms of probabilities in steps of this, as bytes. */
export const letterStep = 1 / 16;

const symbols = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return code === 0x2d ? hyphenSymbol : otherSymbol;
});

export function symbolOf(code: number): number {
  return symbols[code & 0xff] as number;
}

export function placeOf(first: number, second: number, third: number): number {
  return (first * letterSymbols + second) * letterSymbols + third;
}

export interface Usualness {
  readonly mean: number;
  readonly least: number;
}

export function usualnessOf(label: string, table: Uint8Array): Usualness {
  let [first, second, sum, most] = [edgeSymbol, edgeSymbol, 0, 0];
  const length = Math.min(label.length, labelCharactersMax);
  for (let at = 0; at <= length; at += 1) {
    const third = at === length ? edgeSymbol : symbolOf(label.charCodeAt(at));
    const cost = table[placeOf(first, second, third)] as number;
    sum += cost;
    if (cost > most) most = cost;
    first = second;
    second = third;
  }
  return { mean: (-sum * letterStep) / (length + 1), least: -most * letterStep };
}

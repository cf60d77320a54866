/** Character trigram language model (a second-order Markov chain) of ordinary names: random letters have a low likelihood. */
import { labelCharactersMax } from './name-parts.ts';

/** a-z, 0-9, hyphen, any other character, and the boundary of the label. */
export const letterSymbols = 39;
const [hyphenSymbol, otherSymbol] = [36, 37];
export const edgeSymbol = 38;

/** The table holds negative log-probabilities as bytes, in units of this. */
export const letterStep = 1 / 16;

const symbols = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return code === 0x2d ? hyphenSymbol : otherSymbol;
});

export function symbolOf(code: number): number {
  return symbols[code & 0xff] as number;
}

export function trigramIndex(first: number, second: number, third: number): number {
  return (first * letterSymbols + second) * letterSymbols + third;
}

/** The mean and the minimum log-probability of a label's characters. */
export interface LetterLogLikelihood {
  readonly mean: number;
  readonly least: number;
}

export function letterLogLikelihood(label: string, table: Uint8Array): LetterLogLikelihood {
  let [first, second, sum, most] = [edgeSymbol, edgeSymbol, 0, 0];
  const length = Math.min(label.length, labelCharactersMax);
  for (let at = 0; at <= length; at += 1) {
    const third = at === length ? edgeSymbol : symbolOf(label.charCodeAt(at));
    const cost = table[trigramIndex(first, second, third)] as number;
    sum += cost;
    if (cost > most) most = cost;
    first = second;
    second = third;
  }
  return { mean: (-sum * letterStep) / (length + 1), least: -most * letterStep };
}

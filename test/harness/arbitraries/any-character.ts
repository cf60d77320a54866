/**
 * Any Unicode character as the unit of `fc.string`, in place of `unit: 'binary'`: the same values from the same seed. That one keeps a map of all
 * 1.1 million characters, which takes two seconds to make and is marked by every later garbage collection of the process.
 */
import * as fc from 'fast-check';

const surrogatesFrom = 0xd800;
const surrogatesEnd = 0xe000;
const surrogates = surrogatesEnd - surrogatesFrom;
const largest = 0x10ffff;

function characterAt(index: number): string {
  return String.fromCodePoint(index < surrogatesFrom ? index : index + surrogates);
}

/** Throws for what is not one character, as fast-check wants it. */
function indexOf(character: unknown): number {
  const code = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1;
  const index = code < surrogatesFrom ? code : code - surrogates;
  if (index < 0 || characterAt(index) !== character) throw new Error('not one character');
  return index;
}

export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: largest - surrogates })
  .map(characterAt, indexOf);

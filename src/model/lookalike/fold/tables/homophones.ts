/** Homophones, and numerals as words. Differences of one letter are not listed: they are edits anyway. */

/** Each pair applies in both directions. */
export const homophones: readonly (readonly [string, string])[] = [
  ['ph', 'f'],
  ['ck', 'k'],
  ['cks', 'x'],
  ['ks', 'x'],
  ['qu', 'kw'],
  ['tion', 'shun'],
  ['ight', 'ite'],
  ['oo', 'ew'],
  ['ey', 'ie'],
  ['bye', 'buy'],
  ['mail', 'male'],
  ['sale', 'sail'],
  ['right', 'write'],
  ['pair', 'pear'],
  ['pay', 'pei'],
  ['wear', 'where'],
  ['wood', 'would'],
  ['main', 'mane'],
  ['plane', 'plain'],
  ['peace', 'piece'],
  ['suite', 'sweet'],
  ['through', 'thru'],
];

/** Only from the word to the letter: in the other direction every such letter would multiply the variants. */
export const spokenLetters: readonly (readonly [word: string, letter: string])[] = [
  ['you', 'u'],
  ['your', 'ur'],
  ['are', 'r'],
  ['and', 'n'],
  ['see', 'c'],
  ['sea', 'c'],
  ['why', 'y'],
  ['know', 'no'],
  ['ough', 'o'],
];

/** Each pair applies in both directions. */
export const numerals: readonly (readonly [word: string, digits: string])[] = [
  ['zero', '0'],
  ['one', '1'],
  ['two', '2'],
  ['too', '2'],
  ['to', '2'],
  ['three', '3'],
  ['four', '4'],
  ['for', '4'],
  ['five', '5'],
  ['six', '6'],
  ['seven', '7'],
  ['eight', '8'],
  ['ate', '8'],
  ['nine', '9'],
  ['ten', '10'],
  ['eleven', '11'],
  ['twelve', '12'],
  ['twenty', '20'],
  ['hundred', '100'],
  ['first', '1st'],
  ['second', '2nd'],
  ['third', '3rd'],
];

/**
 * Text that people see as it is: without control characters, without characters that change the direction of writing (U+202E shows
 * "gro.knab" for "bank.org"), and without invisible ones, which make two different names look the same. Joiners and variation selectors
 * are allowed where writing needs them: in Arabic and Indic scripts, and in emoji.
 */
import { hiddenCharacters } from './hidden-characters.ts';

const joinedScripts = '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Mn}\\p{Mc}';
const joiner = `(?<=[${joinedScripts}])[\\u200c\\u200d](?=[\\p{L}\\p{M}])`;
const emojiJoiner =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})';
const emojiStyle = '(?<=[\\p{Extended_Pictographic}0-9#*])\\ufe0f';

/** For a regular expression with the flag `u`. */
export const visiblePattern = `^(?:[^${hiddenCharacters}]|${joiner}|${emojiJoiner}|${emojiStyle})*$`;

export const visibleRule = 'must not contain control, invisible or direction-changing characters';

const form = new RegExp(visiblePattern, 'u');

export function isVisible(text: string): boolean {
  return form.test(text);
}

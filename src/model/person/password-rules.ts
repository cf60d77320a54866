/** Which passwords are accepted: long ones that are not made of the words and sequences that everybody tries first. */

const lengthMin = 12;
const lengthMax = 256;

/** Words of which guessable passwords consist, after digits and signs that stand for letters have been read as those letters. */
const guessableWords =
  `password passwort passphrase passwd pass word secret geheim letmein login welcome willkommen admin administrator root
  user test testing demo guest default changeme change me please qwerty qwertyuiop qwertz azerty asdf asdfghjkl zxcvbnm yxcvbnm iloveyou love
  monkey dragon sunshine princess football baseball superman batman master shadow summer winter spring autumn company office server internet
  security nameglass domain analyst the my is one two three abc abcd xyz a i`.split(/\s+/);

/** Pairs of a sign and the letter that it stands for. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  ['0o', '1i', '3e', '4a', '5s', '7t', '8b', '@a', '$s', '!i', '€e'].map((pair) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
);

/** Why a password is refused; undefined for an acceptable one. */
export function findPasswordFault(password: string, name: string): string | undefined {
  const characters = Array.from(password.normalize('NFC'));
  if (characters.length < lengthMin) return `must have at least ${lengthMin} characters`;
  if (characters.length > lengthMax) return `must have at most ${lengthMax} characters`;
  if (new Set(characters).size < 5) return 'repeats too few characters';
  if (isGuessable(password.toLowerCase(), name.toLowerCase()))
    return 'is easy to guess; use several unrelated words';
  return undefined;
}

function isGuessable(password: string, name: string): boolean {
  const words = [lettersOf(name), ...guessableWords].filter((word) => word !== '');
  const trimmed = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [password, readSigns(password), readSigns(trimmed)].some((text) => isMadeOf(lettersOf(text), words));
}

/** With the letters that digits and signs stand for. */
function readSigns(text: string): string {
  return Array.from(text, (letter) => lookalikes.get(letter) ?? letter).join('');
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, '');
}

/** Whether a text is nothing but these words, one after the other; also without letters at all. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const reachable = new Set([0]);
  for (let start = 0; start < text.length; start += 1) {
    if (!reachable.has(start)) continue;
    for (const word of words) if (text.startsWith(word, start)) reachable.add(start + word.length);
  }
  return reachable.has(text.length);
}

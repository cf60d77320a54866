/** Characters that a reader cannot see, or that change the direction of reading. Triage shows them as their code points. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u;
/** In a name a combining mark changes the letter before it, and a space is not a space. */
const unseenInName = new RegExp(`${unseen.source.slice(0, -1)}\\p{M}\\p{Zs}]`, 'u');

export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

export const isUnseen = (character: string): boolean => unseen.test(character);
export const isUnseenInName = (character: string): boolean => unseenInName.test(character);

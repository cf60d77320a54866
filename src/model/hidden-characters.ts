/** Characters that people do not see, or that change what they see, for character classes of regular expressions with the flag `u`. */

/** Controls, format characters (those that change the direction of writing among them), line and paragraph separators. */
export const controlCharacters = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}';

/** These, lone surrogates, and all that is drawn as nothing: tag characters, variation selectors, fillers. */
export const hiddenCharacters = `${controlCharacters}\\p{Cs}\\p{Default_Ignorable_Code_Point}`;

/**
 * Text that third parties wrote (a registrant, the title of a page, a label of a host) for readers who might take it for something
 * else, such as language models: on one line, without characters that are not seen, without links, and short. `escape-for-terminal.ts`
 * shows such characters instead; here they would only cost space.
 */
import { hiddenCharacters } from './hidden-characters.ts';

export const thirdPartyCharactersMax = 160;

const blank = new RegExp(`[${hiddenCharacters}\\s]+`, 'gu');
/** With any scheme, or with none, as in `//host/path`. */
const link = /([a-z][a-z0-9+.-]{0,30}:)?\/\/([^\s/?#]*)/gi;
/** The part of a longer text that is read. */
const readMax = 4000;

/** At most `charactersMax` characters; of a longer text the beginning, and how many characters follow. */
export function thirdPartyText(text: string, charactersMax = thirdPartyCharactersMax): string {
  const read = text.slice(0, readMax).normalize('NFC').replaceAll(blank, ' ').trim();
  const characters = Array.from(read.replaceAll(link, withoutLink));
  const unread = Math.max(0, text.length - readMax);
  if (characters.length <= charactersMax && unread === 0) return characters.join('');
  // The number has as many digits as that of all characters, or fewer.
  const suffixMax = `…(+${characters.length + unread})`.length;
  const shown = Math.max(0, charactersMax - suffixMax);
  return `${characters.slice(0, shown).join('')}…(+${characters.length - shown + unread})`;
}

/** `hxxps[://]login[.]example`, as analysts write it. */
function withoutLink(_: string, scheme = '', host = ''): string {
  const safe = scheme.replace(/^http/i, 'hxxp').slice(0, -1);
  return `${safe}[${scheme === '' ? '' : ':'}//]${host.replaceAll('.', '[.]')}`;
}

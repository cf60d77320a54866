/** Where in a name a term is: what stands beside it in its label, and whether it is set off from that. */
import type { NameView } from './name-view.ts';
import { gluedPrefixes, wordsBeside } from './tables/words.ts';

export interface Place {
  readonly from: number;
  readonly to: number;
  /** What else is in the label, or in the labels that it is spread over. */
  readonly before: string;
  readonly behind: string;
  readonly isWhole: boolean;
  /** In the label that somebody registered; otherwise in one below it. */
  readonly isOwn: boolean;
  /** Of its two ends, how many are at the end of a label, at a hyphen or at a digit. */
  readonly borders: number;
}

export function placeOf({ name, ownFrom }: NameView, from: number, to: number): Place {
  const labelFrom = from === 0 ? 0 : name.lastIndexOf('.', from - 1) + 1;
  const dot = name.indexOf('.', to);
  const before = name.slice(labelFrom, from);
  const behind = name.slice(to, dot < 0 ? name.length : dot);
  const borders = Number(isBorder(before.at(-1))) + Number(isBorder(behind.at(0)));
  return {
    from,
    to,
    before,
    behind,
    isWhole: before === '' && behind === '',
    isOwn: to > ownFrom,
    borders,
  };
}

function isBorder(character: string | undefined): boolean {
  return character === undefined || '-_0123456789'.includes(character);
}

const dividers = /[-_0-9]+/;
const isWord = (piece: string) => piece === '' || wordsBeside.has(piece);
const areWords = (text: string) =>
  isWord(text) || (dividers.test(text) && text.split(dividers).every(isWord));

/** Whether beside the term there are only common words, digits and hyphens. */
export function isAmongWords({ before, behind }: Place): boolean {
  return areWords(before) && areWords(behind);
}

/** Whether what touches the term is nothing, or a common word. */
export function touchesWords({ before, behind }: Place): boolean {
  return isWord(before.split(dividers).at(-1) ?? '') && isWord(behind.split(dividers).at(0) ?? '');
}

export function isGlued({ before, behind }: Place): boolean {
  const plain = before.replaceAll('-', '');
  return behind === '' && gluedPrefixes.some((prefix) => prefix === plain);
}

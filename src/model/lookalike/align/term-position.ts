/** The position of a term in a name: the text beside it in its label, and whether a border separates it from that. */

import { commonAffixWords, gluedPrefixes } from '../fold/tables/common-affixes.ts';
import type { NameView } from './name-view.ts';

export interface TermPosition {
  readonly from: number;
  readonly to: number;
  /** The rest of the label, or of the labels that it spans. */
  readonly before: string;
  readonly after: string;
  readonly isWhole: boolean;
  /** In the registered label, not in a subdomain. */
  readonly isRegistered: boolean;
  /** How many of its two ends are at the end of a label, at a hyphen or at a digit. */
  readonly borders: number;
}

export function positionOf({ name, registeredFrom }: NameView, from: number, to: number): TermPosition {
  const labelFrom = from === 0 ? 0 : name.lastIndexOf('.', from - 1) + 1;
  const dot = name.indexOf('.', to);
  const before = name.slice(labelFrom, from);
  const after = name.slice(to, dot < 0 ? name.length : dot);
  const borders = Number(isBorder(before.at(-1))) + Number(isBorder(after.at(0)));
  return {
    from,
    to,
    before,
    after,
    isWhole: before === '' && after === '',
    isRegistered: to > registeredFrom,
    borders,
  };
}

function isBorder(character: string | undefined): boolean {
  return character === undefined || '-_0123456789'.includes(character);
}

const dividers = /[-_0-9]+/;
const isWord = (part: string) => part === '' || commonAffixWords.has(part);
const areWords = (text: string) =>
  isWord(text) || (dividers.test(text) && text.split(dividers).every(isWord));

/** Whether the rest of the label consists of common words, digits and hyphens only. */
export function isAmongCommonWords({ before, after }: TermPosition): boolean {
  return areWords(before) && areWords(after);
}

/** Whether each side of the term touches nothing, or a common word. */
export function touchesCommonWords({ before, after }: TermPosition): boolean {
  return isWord(before.split(dividers).at(-1) ?? '') && isWord(after.split(dividers).at(0) ?? '');
}

export function isGluedPrefix({ before, after }: TermPosition): boolean {
  const plain = before.replaceAll('-', '');
  return after === '' && gluedPrefixes.some((prefix) => prefix === plain);
}

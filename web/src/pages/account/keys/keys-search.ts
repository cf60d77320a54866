/** Which dialog of the page of keys is open, and about which key. */
import { definedOnly, oneOf, oneText } from '../../../data/address.ts';

export const keyDialogs = ['new', 'test', 'change', 'reset', 'delete'] as const;
export type KeyDialog = (typeof keyDialogs)[number];

export interface KeysSearch {
  readonly do?: KeyDialog;
  readonly key?: string;
}

export function keysSearch(raw: Readonly<Record<string, unknown>>): KeysSearch {
  const dialog = oneOf(raw['do'], keyDialogs);
  const isAboutKey = dialog !== undefined && dialog !== 'new' && dialog !== 'test';
  const key = isAboutKey ? oneText(raw['key']) : undefined;
  return definedOnly({ do: isAboutKey && key === undefined ? undefined : dialog, key });
}

import { oneText } from '../../data/address.ts';

export interface FeedSearch {
  /** Shows lines as they come. */
  readonly tail?: true;
}

export function feedSearch(raw: Readonly<Record<string, unknown>>): FeedSearch {
  return raw['tail'] === true || oneText(raw['tail']) === '1' ? { tail: true } : {};
}

/** The words of a name beside what resembles the term: `fans` and `club` of `acme-fans-club.example`. */
import { unicodeName } from '../../../model/lookalike/fold/unicode-name.ts';
import type { Matcher } from '../../../model/lookalike/matcher.ts';
import { findRegistrableDomain } from '../../../model/registrable-domain.ts';

/** A shorter text is found inside too many names. */
const lettersMin = 4;

/** `matcher` knows the term, also inside longer words. */
export function wordsBeside(domain: string, matcher: Pick<Matcher, 'match'>): ReadonlySet<string> {
  const registrable = findRegistrableDomain(domain) ?? domain;
  // The public suffix is no word of the owner.
  const owned = domain.slice(0, domain.length - registrable.length) + (registrable.split('.')[0] ?? '');
  const words = unicodeName(owned).split(/[-.\d]+/);
  return new Set(words.filter((word) => word.length >= lettersMin && matcher.match(word).length === 0));
}

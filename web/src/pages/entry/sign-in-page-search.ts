/** Where to go after signing in, and why an identity provider's answer was refused. */

import type { SignOnFaultWord } from '../../../../src/http/web/sign-on/sign-on-wire.ts';
import { definedOnly, oneOf, oneText } from '../../data/address.ts';
import { faultWords } from '../../words/sign-on.ts';

export interface SignInPageSearch {
  readonly next?: string;
  readonly fault?: SignOnFaultWord;
}

const faults = Object.keys(faultWords) as readonly SignOnFaultWord[];

export function signInPageSearch(raw: Readonly<Record<string, unknown>>): SignInPageSearch {
  return definedOnly({ next: oneText(raw['next']), fault: oneOf(raw['fault'], faults) });
}

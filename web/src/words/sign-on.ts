/** Single sign-on as everybody meets it: the buttons, and what a refusal means. */
import type { ReactNode } from 'react';
import type { SignOnFaultWord } from '../../../src/http/web/sign-on/sign-on-wire.ts';
import { phrase } from './language.ts';

export const signOnWords = {
  with: (name: ReactNode) => phrase`Sign in with ${name}`,
  or: 'or',
  inOtherTab: 'This opens another tab. Come back here when you have signed in.',
} as const;

/** For the person who tried; administrators find more in the audit log. */
export const faultWords: Readonly<Record<SignOnFaultWord, string>> = {
  'no-such-provider': 'This way to sign in does not exist, or is switched off.',
  'too-many': 'Too many sign-ins were begun. Wait a minute and try again.',
  expired: 'This sign-in took too long, was used already, or began in another browser. Begin again.',
  'provider-refused': 'The identity provider did not let you in.',
  unreachable:
    'The identity provider cannot be reached. Try again later, or ask an administrator of your account.',
  'not-verified':
    'The answer of the identity provider could not be verified. Ask an administrator of your account.',
  'not-permitted': 'You may not use Nameglass yet. Ask an administrator of your account.',
  'unknown-person':
    'Nobody here is known by this sign-in. Ask an administrator of your account to invite you.',
  'name-taken':
    'The name or the sign-in belongs to somebody already. If that is you, sign in as before and connect the provider in your settings.',
  disabled: 'You are disabled here. Ask an administrator of your account.',
};

import type { ReactNode } from 'react';
import { phrase } from './language.ts';

/** Signing in, by a link or otherwise. */
export const entryWords = {
  enter: 'Enter',
  welcome: 'Welcome',
  demo: 'This is the demonstration: a small simulated Internet with brands to protect. You can change everything in it.',
  once: 'This link signs you in, once.',
  enterAs: (name: ReactNode) => phrase`Enter as ${name}`,
  badLink: 'This link does not work',
  anotherLink: (command: ReactNode) =>
    phrase`A link works once, for a few minutes. An operator of this server makes another: ${command}`,
  toProduct: 'To Nameglass',
  signIn: 'Sign in',
  signInByLink: (command: ReactNode) =>
    phrase`An operator of this server makes a link that signs you in: ${command}`,
  code: 'Code of your authenticator app, or a recovery code',
  name: 'Name',
  password: 'Password',
  passkey: 'Passkey',
  continue: 'Continue',
} as const;

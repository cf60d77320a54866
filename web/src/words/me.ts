import type { ReactNode } from 'react';
import { counted, number, phrase } from './language.ts';

export const meWords = {
  title: 'Signing in',
  as: (name: ReactNode) => phrase`Signing in as ${name}`,
  choose:
    'Choose how you sign in from now on: a passkey, or a password of at least 12 characters. The other pages open then.',
} as const;

export const passkeyWords = {
  title: 'Passkeys',
  hint: 'Nothing to remember, and nothing that a lookalike of this page could ask for.',
  openLocalhost: (address: string) =>
    `Passkeys belong to a name, not to an address: open ${address} to add one.`,
  openByName:
    'Passkeys belong to a name, not to an address: open this page under the name of the server (http.publicUrl).',
  loading: 'passkeys',
  thePasskeys: 'The passkeys',
  made: (ago: ReactNode) => phrase`made ${ago}`,
  used: (ago: ReactNode) => phrase`, used ${ago}`,
  device: 'Name of the device',
  deviceHint: 'my laptop',
  add: 'Add a passkey',
} as const;

export const removeIt = 'Remove it';

export const passwordWords = {
  title: 'Password',
  isSet: 'A password is set.',
  isNotSet: 'No password is set.',
  newOne: 'New password',
  change: 'Change it',
  set: 'Set it',
  done: 'The password is set; other sessions have ended',
} as const;

export const authenticatorWords = {
  title: 'Authenticator app',
  isSet: (codes: number) =>
    `Its code is asked for after the password. ${counted(codes, 'recovery code is', 'recovery codes are')} left.`,
  isNotSet: 'A code is asked for after the password.',
  recovery: 'Recovery codes, shown this once. Each works once, when the app is lost:',
  recoveryCopied: 'Recovery codes copied',
  scan: 'Scan this with the app:',
  picture: 'QR code with the key of this account',
  orType: (open: ReactNode) => phrase`Or type the key into it, ${open}:`,
  openThere: 'or open it there',
  code: 'The code that it shows',
  confirm: 'Confirm',
  passwordFirst: 'Set a password first',
  setUp: 'Set up an app',
  setUpAnother: 'Set up another app',
} as const;

export const sessionListWords = {
  title: 'Where you are signed in',
  loading: 'sessions',
  theSessions: 'The sessions',
  from: (address: ReactNode, since: ReactNode, seen: ReactNode) =>
    phrase`from ${address}, since ${since}, last seen ${seen}`,
  thisOne: 'this one',
  end: 'End it',
  endOthers: 'End all others',
  ended: (count: number) => `${number(count)} other ${count === 1 ? 'session has' : 'sessions have'} ended`,
} as const;

import type { ReactNode } from 'react';
import { number, phrase } from './language.ts';

export const recentDecisionWords = {
  title: 'Recent decisions',
  whose: 'Whose decisions',
  everybodys: 'Everybody’s',
  mine: 'Mine',
  theDecisions: 'The decisions',
  loading: 'decisions',
  none: 'Nothing has been decided yet',
  earlier: 'Earlier ones',
  more: (count: number) => ` and ${number(count)} more`,
  by: (person: ReactNode) => phrase` by ${person}`,
  undoneBy: (person: ReactNode, ago: ReactNode) => phrase`, undone by ${person} ${ago}`,
  tooLate: 'This can no longer be undone',
} as const;

export const visitWords = {
  title: 'Visit with care',
  advice: [
    'Its operator sees your address and your browser, and learns that somebody has found the name.',
    'The page may ask for passwords, offer downloads, or attack the browser. Use an isolated one.',
    'It may show you something else than it shows to others. The screenshot in Triage was taken from this server.',
  ],
  liveAddress: 'The live address, as text',
  back: 'Back to Triage',
  copy: 'Copy the live address',
} as const;

import type { ReactNode } from 'react';
import { phrase } from '../language.ts';

/** On pages that are not about campaigns. */
export const membershipWords = {
  member: (campaigns: ReactNode) => phrase`Member of the campaign ${campaigns}`,
} as const;

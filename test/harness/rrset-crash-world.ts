import * as fc from 'fast-check';
import type { Rrset } from '../../src/model/dns/rrset.ts';
import { observation } from './rrset-arbitraries.ts';

/** The same observations in the same order, for all who import them and for those who check. */
export function crashObservations(): Rrset[] {
  return fc.sample(observation, { numRuns: 2000, seed: 77 });
}

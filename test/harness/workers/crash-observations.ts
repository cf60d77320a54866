import * as fc from 'fast-check';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { observation } from '../arbitraries/rrset-arbitraries.ts';

/** The same observations in the same order for the importing process and the test. */
export function crashObservations(): Rrset[] {
  return fc.sample(observation, { numRuns: 2000, seed: 77 });
}

/**
 * Property tests of a whole run begin from one seed, so that the same code passes or fails each time. `TEST_SEED=random npm test` finds
 * new counterexamples, and `TEST_SEED=<number>` repeats a run. A file run by `node --test` alone has a new seed each time.
 */
import { configureGlobal } from 'fast-check';

const given = process.env['TEST_SEED'] ?? '20260304';
if (given !== 'random') configureGlobal({ seed: Number(given) });

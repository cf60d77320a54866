/**
 * The program that tests start: compiled, where a whole run of tests has built it (`scripts/test.ts`), since it then starts in a quarter of the
 * processor time, and otherwise the sources.
 */
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const built = process.env['TEST_PROGRAM'];

export const program = built ?? join(root, 'src/main.ts');

/** Halves the start-up time, which is most of a command's run time. That of a built program goes away with it. */
export const compileCache = built
  ? join(dirname(built), 'compile-cache')
  : (process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules/.cache/compile'));

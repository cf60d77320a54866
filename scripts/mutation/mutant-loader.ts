/**
 * Preloaded into the test processes of a mutant: loads the mutated text of one source file instead of the file itself. The mutant is a
 * file outside the tree, so that no mutation can remain in it.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';

const { MUTATION_TARGET: target, MUTATION_FILE: mutant } = process.env;

if (target !== undefined && mutant !== undefined)
  registerHooks({
    load: (url, context, nextLoad) =>
      url.split('?', 1)[0] === target
        ? {
            format: 'module',
            source: stripTypeScriptTypes(readFileSync(mutant, 'utf8')),
            shortCircuit: true,
          }
        : nextLoad(url, context),
  });

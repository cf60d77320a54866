import { after } from 'node:test';

/** Where clean-up is registered: a test, or a whole file when given `{ after }` of `node:test` at module level. */
export interface TestScope {
  after(cleanUp: () => unknown): void;
}

/** A scope that ends with the test file, for fixtures that are first needed inside a test and then shared. */
export function fileScope(): TestScope {
  const cleanUps: (() => unknown)[] = [];
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return { after: (cleanUp) => void cleanUps.push(cleanUp) };
}

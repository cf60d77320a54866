import { after } from 'node:test';

/** Where clean-up is registered: a test, or a whole file when given `{ after }` of `node:test` at module level. */
export interface TestScope {
  after(cleanUp: () => unknown): void;
}

/** A scope that ends with the test file, for fixtures that are first needed inside a test and then shared. */
export function fileScope(): TestScope {
  const scope: TestScope = { after };
  lastFirst(scope);
  return scope;
}

const reversed = new WeakSet<TestScope>();

/**
 * From now on what is registered last is cleaned up first: stores close before their directory is removed, a server before its stores.
 * Node.js runs hooks in the order of their registration.
 */
export function lastFirst(scope: TestScope): void {
  if (reversed.has(scope)) return;
  reversed.add(scope);
  const cleanUps: (() => unknown)[] = [];
  scope.after(async () => {
    const failures: unknown[] = [];
    for (let cleanUp = cleanUps.pop(); cleanUp; cleanUp = cleanUps.pop()) {
      try {
        await cleanUp();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
  scope.after = (cleanUp) => void cleanUps.push(cleanUp);
}

/** Call it once, where the file begins. What it returns makes something for the first test that wants it under this key, and then shares it. */
export function sharedInFile<Key, Made>(
  make: (scope: TestScope, key: Key) => Promise<Made>,
): (key: Key) => Promise<Made> {
  const scope = fileScope();
  const made = new Map<string | undefined, Promise<Made>>();
  return (key) => {
    const text: string | undefined = JSON.stringify(key);
    const found = made.get(text) ?? make(scope, key);
    made.set(text, found);
    return found;
  };
}

/**
 * Set-up shared by the suites of the four Detect stores. They are opened together, because each suite fills the others to have something
 * to work on.
 */
import { after, describe, type TestContext } from 'node:test';
import type { DetectStores } from '../../../src/stores.ts';
import { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';

/** Returns a function that opens one more handle on the data of this test. Two handles stand for two processes. */
export type OpenDetectStores = (t: TestContext) => () => DetectStores;

/** A new account in stores that tests share. Tests of operations that span accounts open stores of their own. */
export type NewFixture = () => WatchlistFixture;

export function describeDetectStore(
  title: string,
  open: OpenDetectStores,
  suite: (newFixture: NewFixture) => void,
): void {
  describe(title, () => {
    const handle = open({ after } as TestContext);
    let shared: DetectStores | undefined;
    suite(() => {
      shared ??= handle();
      return new WatchlistFixture(shared);
    });
  });
}

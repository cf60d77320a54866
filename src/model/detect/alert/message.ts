/** What is sent to the receiver of an alert: some events, or a test. */
import type { WatchlistEvent } from '../watchlist.ts';

export interface AlertMessage {
  readonly subscriptionId: string;
  /** A message that is sent again has the same one. */
  readonly deliveryId: string;
  /** None: it is a test. */
  readonly events: readonly WatchlistEvent[];
  readonly atMs: number;
  /** Terms of monitors by id, as far as known. */
  readonly terms: ReadonlyMap<string, string>;
  /** Where people open the web UI, if there is one. */
  readonly webUrl: string | undefined;
}

export const testSentence = 'This is a test of an alert of Nameglass.';

/** Follows what happens on the watchlist while Triage is open, and reconnects where the stream ends. */
import { NameglassError } from '../../../client/nameglass-client.ts';
import type { TriageApi, WatchlistEvent } from './triage-api.ts';

interface Followers {
  readonly onEvent: (event: WatchlistEvent) => void;
  /** Undefined: events arrive. */
  readonly onState: (notLive: string | undefined) => void;
  readonly explain: (error: unknown) => string;
}

const reconnectMs = 5000;
/** Asking again changes nothing: the key may not read events. */
const final: readonly NameglassError['code'][] = ['authentication', 'permission', 'not-found'];

export async function followEvents(
  api: Pick<TriageApi, 'follow'>,
  { onEvent, onState, explain }: Followers,
  signal: AbortSignal,
): Promise<void> {
  let lastId: number | undefined;
  while (!signal.aborted) {
    try {
      await api.follow(
        lastId,
        (event) => {
          lastId = event.id;
          onEvent(event);
        },
        () => onState(undefined),
        signal,
      );
      onState('the stream of events ended');
    } catch (error) {
      if (signal.aborted) return;
      onState(explain(error));
      if (error instanceof NameglassError && final.includes(error.code)) return;
    }
    await pause(signal);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, reconnectMs);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

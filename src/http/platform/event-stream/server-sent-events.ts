/** Records as server-sent events, with a comment as keep-alive while there are none. */

/** `end` is the event id that a client resumes from. */
export interface EventRecord {
  readonly text: string;
  readonly end: number;
}

const keepAliveIntervalMs = 15_000;
const keepAlive = Buffer.from(': alive\n\n');

/** The first keep-alive is sent immediately, so that the client receives the headers. */
export async function* eventsOf(
  batches: AsyncIterable<readonly EventRecord[]>,
  keepAliveMs = keepAliveIntervalMs,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield keepAlive;
  let sentMs = performance.now();
  for await (const records of batches) {
    if (records.length > 0) yield Buffer.from(records.map(eventOf).join(''));
    else if (performance.now() - sentMs >= keepAliveMs) yield keepAlive;
    else continue;
    sentMs = performance.now();
  }
}

function eventOf({ text, end }: EventRecord): string {
  return `id: ${end}\ndata: ${text}\n\n`;
}

/** Records as server-sent events. A comment now and then shows both ends that the connection stands. */

/** `end` is what a client goes on from. */
export interface LiveRecord {
  readonly text: string;
  readonly end: number;
}

const aliveMs = 15_000;
const alive = Buffer.from(': alive\n\n');

/** The first comment comes at once, and with it the headers. */
export async function* eventsOf(
  batches: AsyncIterable<readonly LiveRecord[]>,
  silentMs = aliveMs,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield alive;
  let sentMs = performance.now();
  for await (const records of batches) {
    if (records.length > 0) yield Buffer.from(records.map(eventOf).join(''));
    else if (performance.now() - sentMs >= silentMs) yield alive;
    else continue;
    sentMs = performance.now();
  }
}

function eventOf({ text, end }: LiveRecord): string {
  return `id: ${end}\ndata: ${text}\n\n`;
}

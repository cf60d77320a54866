/** Records as server-sent events, with a comment as keep-alive while there are none. */

export interface EventRecord {
  readonly text: string;
  /** The event id that a client resumes from; absent where it stays the one before. */
  readonly end?: number;
  /** The type by which a browser dispatches it; `message` if absent. */
  readonly type?: string;
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

function eventOf({ text, end, type }: EventRecord): string {
  const [id, name] = [end === undefined ? '' : `id: ${end}\n`, type === undefined ? '' : `event: ${type}\n`];
  return `${id}${name}data: ${text}\n\n`;
}

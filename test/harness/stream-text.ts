import type { StreamStore } from '../../src/store/stream-store.ts';

/** Everything that a stream holds. */
export async function streamText(
  streams: Pick<StreamStore, 'findState' | 'openRange'>,
  stream: string,
): Promise<string> {
  const state = await streams.findState(stream);
  const range = state && (await streams.openRange(stream, state.start, state.end));
  const read: Buffer[] = [];
  for await (const piece of range?.read() ?? []) read.push(Buffer.from(piece));
  await range?.close();
  return Buffer.concat(read).toString();
}

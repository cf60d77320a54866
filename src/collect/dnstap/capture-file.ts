/**
 * The frames of a capture file, as `fstrm_capture` and resolvers write it. A file that ends without STOP is whole: its
 * writer was killed. After damage the place of the next frame is lost, so the first fault is the last thing given.
 */
import { type StreamFault, StreamReader } from './stream-reader.ts';

export type CaptureFault =
  | StreamFault
  /** The file ends inside a frame. */
  | 'cut-off'
  /** The file ends before a stream begins. */
  | 'empty';

/** `offset` is the place in the file where the frame, or what cannot be read, begins. */
export type CaptureItem =
  | { readonly kind: 'data'; readonly offset: number; readonly payload: Uint8Array }
  | { readonly kind: 'fault'; readonly offset: number; readonly reason: CaptureFault };

export async function* scanCapture(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<CaptureItem, void> {
  const reader = new StreamReader('file');
  let hasStarted = false;
  for await (const piece of pieces) {
    reader.push(piece);
    for (let event = reader.next(); event; event = reader.next()) {
      if (event.kind === 'start') hasStarted = true;
      if (event.kind === 'data' || event.kind === 'fault') yield event;
      if (event.kind === 'fault') return;
    }
  }
  const offset = reader.openFrameOffset;
  if (offset !== undefined) yield { kind: 'fault', offset, reason: 'cut-off' };
  else if (!hasStarted) yield { kind: 'fault', offset: 0, reason: 'empty' };
}

/**
 * Scans a capture file as written by `fstrm_capture` or a resolver. A file without STOP is complete: its writer was killed. After a
 * fault the next frame cannot be located, so the first fault is the last item.
 */
import { type StreamFault, StreamReader } from './stream-reader.ts';

export type CaptureError =
  | StreamFault
  /** The file ends inside a frame. */
  | 'cut-off'
  /** The file ends before a stream begins. */
  | 'empty';

/** `offset` is that of the frame, or of the fault, in the file. */
export type CaptureItem =
  | { readonly kind: 'data'; readonly offset: number; readonly payload: Uint8Array }
  | { readonly kind: 'fault'; readonly offset: number; readonly reason: CaptureError };

export async function* scanCapture(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CaptureItem, void> {
  const reader = new StreamReader('file');
  let hasStarted = false;
  for await (const chunk of chunks) {
    reader.push(chunk);
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

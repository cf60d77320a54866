/** Puts a long response together in time slices. */
import { TimeSlice } from '../../../concurrency/time-slice.ts';

/** Characters that are encoded at once. */
const charactersPerBatch = 65_536;

/** A short one stays text. */
export async function joinChunks(chunks: Iterable<string>): Promise<string | Buffer> {
  const batches: Buffer[] = [];
  const slice = new TimeSlice();
  let text = '';
  for (const chunk of chunks) {
    text += chunk;
    if (text.length >= charactersPerBatch) {
      batches.push(Buffer.from(text));
      text = '';
    }
    const turn = slice.yieldIfOver();
    if (turn) await turn;
  }
  return batches.length === 0 ? text : Buffer.concat([...batches, Buffer.from(text)]);
}

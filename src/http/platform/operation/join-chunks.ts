/** Puts a long response together in time slices. */
import { TimeSlice } from '../../../concurrency/time-slice.ts';

/** Characters that are encoded at once. */
const charactersPerBatch = 65_536;

/** Text goes to the socket together with the headers, in one piece; worth it where it is short. */
const shortBytes = 16_384;

/** A short one as text. */
export async function joinChunks(chunks: Iterable<string | Buffer>): Promise<string | Buffer> {
  const batches: Buffer[] = [];
  const slice = new TimeSlice();
  let text = '';
  for (const chunk of chunks) {
    const isText = typeof chunk === 'string';
    if (isText) text += chunk;
    if (text !== '' && (!isText || text.length >= charactersPerBatch)) {
      batches.push(Buffer.from(text));
      text = '';
    }
    if (!isText) batches.push(chunk);
    const nextSlice = slice.isOver() ? slice.yieldIfOver() : undefined;
    if (nextSlice) await nextSlice;
  }
  if (batches.length === 0) return text;
  const whole = Buffer.concat([...batches, Buffer.from(text)]);
  return whole.length < shortBytes ? whole.toString() : whole;
}

const comma = Buffer.from(',');

/** The items of a JSON list. */
export function* withCommas(items: readonly Buffer[]): Generator<Buffer> {
  for (const [index, item] of items.entries()) {
    if (index > 0) yield comma;
    yield item;
  }
}

/** Rows of which each statement gets some, so that making its parameters does not hold up the event loop. */
export async function inBatches<Row>(
  rows: readonly Row[],
  size: number,
  write: (some: readonly Row[]) => PromiseLike<unknown>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += size) await write(rows.slice(at, at + size));
}

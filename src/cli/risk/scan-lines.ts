/** Splits chunks of text into lines, in batches. Lines that are too long to hold a name are skipped. */
const lineCharactersMax = 4096;

export async function* scanLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    // Bounds memory: the beginning is enough to see that the line is too long.
    if (rest.length > lineCharactersMax) rest = rest.slice(0, lineCharactersMax + 1);
    yield lines.filter(isShort).map(withoutReturn);
  }
  const last = rest + decoder.decode();
  if (last !== '' && isShort(last)) yield [withoutReturn(last)];
}

function isShort(line: string): boolean {
  return line.length <= lineCharactersMax;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

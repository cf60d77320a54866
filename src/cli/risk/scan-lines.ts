/** Lines of a text that comes in pieces, some at a time. A line that is too long to hold a name is passed over. */
const lineCharactersMax = 4096;

export async function* scanLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    // Its beginning is kept as long as it takes to see that it is too long.
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

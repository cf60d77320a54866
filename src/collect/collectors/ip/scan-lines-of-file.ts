/** Whole lines of a file, plain or gzip, a piece at a time: whoever reads a million of them leaves others their turn in between. */
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';

const pieceBytes = 1 << 15;
/** What is longer is no line of ours. */
const lineBytesMax = 4096;
const newline = 10;

/** Each piece ends where a line ends, but the last. */
export async function* scanLinesOfFile(path: string): AsyncGenerator<Buffer, void, undefined> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const isPacked = bytesRead === 2 && buffer.readUInt16BE(0) === 0x1f8b;
    const bytes = file.createReadStream({ start: 0, highWaterMark: pieceBytes, autoClose: false });
    yield* linesIn(isPacked ? unpacked(bytes) : bytes);
  } finally {
    await file.close();
  }
}

function unpacked(bytes: Readable): Readable {
  const plain = createGunzip({ chunkSize: pieceBytes });
  bytes.once('error', (error) => plain.destroy(error));
  return bytes.pipe(plain);
}

async function* linesIn(pieces: Readable): AsyncGenerator<Buffer, void, undefined> {
  let begun: Buffer = Buffer.alloc(0);
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    const all = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
    const end = all.lastIndexOf(newline) + 1;
    if (end > 0) yield all.subarray(0, end);
    begun = all.subarray(end, end + lineBytesMax + 1);
    await turn();
  }
  if (begun.length <= lineBytesMax && begun.length > 0) yield begun;
}

/** The lines of a piece as texts, without their ends. */
export function linesOf(piece: Buffer): readonly string[] {
  return piece
    .toString()
    .split('\n')
    .filter((line) => line.length <= lineBytesMax)
    .map((line) => line.trimEnd());
}

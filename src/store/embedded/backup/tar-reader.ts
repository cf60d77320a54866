/** Reads the files of a tar archive from a stream of bytes, in order and in bounded memory. */
import type { SinkFile } from './backup-sink.ts';
import { notOurs, paddingOf, parseHeader, parsePax, type TarEntry, tarBlockBytes } from './tar-format.ts';

/** A pax header has a name and a size. */
const paxBytesMax = 65_536;

/** The chunks of a file must be read before the next one is asked for. Throws a `Problem` where the archive is cut off. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<SinkFile> {
  const bytes = new ByteReader(source);
  let pax: Partial<TarEntry> = {};
  for (;;) {
    const header = parseHeader(await bytes.read(tarBlockBytes));
    if (!header) return;
    if (header.type === 'x') {
      if (header.bytes > paxBytesMax) throw notOurs('a header is too long');
      pax = parsePax((await bytes.read(header.bytes)).toString('utf8'));
      await bytes.read(paddingOf(header.bytes));
      continue;
    }
    const { path, bytes: size } = { ...header, ...pax };
    pax = {};
    if (header.type !== '0') throw notOurs(`${path} is not a file`);
    if (!Number.isSafeInteger(size) || size < 0) throw notOurs(`${path} has no valid size`);
    yield { path, bytes: size, chunks: bytes.chunks(size) };
    await bytes.read(paddingOf(size));
  }
}

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async read(count: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const chunk of this.chunks(count)) parts.push(chunk);
    return Buffer.concat(parts);
  }

  async *chunks(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#source.next();
        if (done) throw notOurs('it ends too early');
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
}

/** Small bodies that unpack to two hundred megabytes. Made once, when they are first asked for, and never held unpacked. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

export type BombKind = 'gzip' | 'br' | 'gzip, gzip';

export const unpackedBytes = 200_000_000;

const piece = Buffer.alloc(1_000_000, ' ');
const head = Buffer.from('<!doctype html><html><head><title>A small page</title></head><body>');
const made = new Map<BombKind, Promise<Buffer>>();

export function bomb(kind: BombKind): Promise<Buffer> {
  const known = made.get(kind);
  if (known) return known;
  const making = make(kind);
  made.set(kind, making);
  return making;
}

async function make(kind: BombKind): Promise<Buffer> {
  if (kind === 'gzip, gzip')
    return buffer(Readable.from([await bomb('gzip')]).pipe(createGzip({ level: 9 })));
  const packer = kind === 'gzip' ? createGzip({ level: 6 }) : createBrotliCompress({ params: quick });
  return buffer(Readable.from(pieces()).pipe(packer));
}

const quick = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 24 };

function* pieces(): Generator<Buffer> {
  yield head;
  for (let bytes = head.length; bytes < unpackedBytes; bytes += piece.length)
    yield piece.subarray(0, Math.min(piece.length, unpackedBytes - bytes));
}

/** Decodes the bytes of a page by its charset: byte order mark, then `content-type` header, then `meta` tag. */

import { TextDecoder } from 'node:util';
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';

const sliceBytes = 65_536;
/** As far as browsers search for the charset (HTML standard, "prescan"). */
const searchedBytes = 1024;
const named = /charset\s{0,20}=\s{0,20}["']?\s{0,20}([\w:.-]{2,40})/i;

export async function pageText(bytes: Buffer, contentType: string): Promise<string> {
  const decoder = decoderFor(bytes, contentType);
  const chunks: string[] = [];
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    chunks.push(decoder.decode(bytes.subarray(at, at + sliceBytes), { stream: true }));
    await yieldToEventLoop();
  }
  chunks.push(decoder.decode());
  return chunks.join('');
}

function decoderFor(bytes: Buffer, contentType: string): TextDecoder {
  const inside = bytes.toString('latin1', 0, searchedBytes);
  return new TextDecoder(
    byteOrderMarkEncoding(bytes) ?? namedEncoding(contentType) ?? asciiLike(namedEncoding(inside)) ?? 'utf-8',
  );
}

function byteOrderMarkEncoding([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined;
}

/** The charset that is named, where it is supported. */
function namedEncoding(text: string): string | undefined {
  const name = named.exec(text)?.[1];
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/** A page whose `meta` tag is readable as ASCII is not UTF-16, whatever the tag says. */
function asciiLike(encoding: string | undefined): string | undefined {
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

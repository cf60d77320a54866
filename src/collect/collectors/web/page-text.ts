/** The characters of a page from its bytes, by the encoding that it names: in a mark before it, in the header, or in itself. */
import { setImmediate as turn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';

const sliceBytes = 65_536;
/** A browser looks no farther for the name of an encoding. */
const searchedBytes = 1024;
const named = /charset\s{0,20}=\s{0,20}["']?\s{0,20}([\w:.-]{2,40})/i;

export async function pageText(bytes: Buffer, contentType: string): Promise<string> {
  const decoder = decoderFor(bytes, contentType);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    pieces.push(decoder.decode(bytes.subarray(at, at + sliceBytes), { stream: true }));
    await turn();
  }
  pieces.push(decoder.decode());
  return pieces.join('');
}

function decoderFor(bytes: Buffer, contentType: string): TextDecoder {
  const inside = bytes.toString('latin1', 0, searchedBytes);
  return new TextDecoder(markedEncoding(bytes) ?? known(contentType) ?? asciiLike(known(inside)) ?? 'utf-8');
}

function markedEncoding([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined;
}

/** What is named and can be read. */
function known(text: string): string | undefined {
  const name = named.exec(text)?.[1];
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/** A page in which the name could be read as it stands is not in UTF-16, whatever it says. */
function asciiLike(encoding: string | undefined): string | undefined {
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

/**
 * Values of events for programs: as they are, but on one line, without characters that are not seen, and short enough for the messages of
 * other services.
 */
import { hiddenCharacters } from '../../hidden-characters.ts';

export interface Bounds {
  /** Of a text, in UTF-8. */
  readonly textBytes: number;
  readonly items: number;
  readonly depth: number;
}

const blank = new RegExp(`[${hiddenCharacters}\\s]+`, 'gu');

export function boundedText(text: string, bytesMax: number): string {
  // No character has less than one byte: the rest of a very long text is not read.
  const read = text
    .slice(0, bytesMax + 1)
    .replaceAll(blank, ' ')
    .trim();
  if (text.length <= bytesMax && Buffer.byteLength(read) <= bytesMax) return read;
  const room = bytesMax - Buffer.byteLength('…');
  // Of a character that is cut in half, decoding leaves the replacement character.
  const kept = Buffer.from(read)
    .subarray(0, room)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  return `${kept}…`;
}

/** A copy with every text, list and object bounded. Names of members are ours. */
export function boundedValue(value: unknown, bounds: Bounds): unknown {
  if (typeof value === 'string') return boundedText(value, bounds.textBytes);
  if (typeof value !== 'object' || value === null) return value;
  if (bounds.depth === 0) return '…';
  const below = { ...bounds, depth: bounds.depth - 1 };
  if (Array.isArray(value)) return value.slice(0, bounds.items).map((item) => boundedValue(item, below));
  const members = Object.entries(value).slice(0, bounds.items);
  return Object.fromEntries(
    members.map(([name, member]) => [boundedText(name, bounds.textBytes), boundedValue(member, below)]),
  );
}

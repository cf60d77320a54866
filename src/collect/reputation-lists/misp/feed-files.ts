/**
 * Parses the files of a MISP feed (https://www.misp-project.org/feeds/): the manifest lists events with the time each last changed, and
 * an event holds domain names as attributes.
 */

import { TimeSlice } from '../../../concurrency/time-slice.ts';
import { Problem } from '../../../model/problem.ts';
import { JsonObjectReader, type ParsedObject } from './json-object-reader.ts';

const chunkBytes = 16_384;
const eventsMax = 100_000;
const nameLengthMax = 8192;
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const namingTypes = new Set(['domain', 'hostname', 'domain|ip', 'hostname|port', 'url']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: names are written to a file, one on each line.
const controls = /[\x00-\x1f\x7f]/;

/** Events by uuid, with the Unix time at which each last changed. Throws a Problem for text that is not a manifest. */
export async function readManifest(bytes: AsyncIterable<Uint8Array>): Promise<ReadonlyMap<string, string>> {
  const events = new Map<string, string>();
  for await (const objects of scanObjects(bytes, ['timestamp'])) {
    for (const { path, members } of objects) {
      const [uuid = '', ...below] = path;
      const changed = String(members.get('timestamp'));
      // The uuid becomes part of a file path.
      if (below.length > 0 || !uuidForm.test(uuid) || !/^\d{1,12}$/.test(changed)) continue;
      events.set(copied(uuid), changed);
      if (events.size > eventsMax)
        throw new Problem('unavailable', `the manifest has more than ${eventsMax} events`);
    }
  }
  return events;
}

/**
 * The domain names, host names and URLs that an event publishes for detection (`to_ids`). Throws a Problem for text that is not an
 * event, or is truncated.
 */
export async function* scanEventNames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  for await (const objects of scanObjects(bytes, ['type', 'value', 'to_ids', 'deleted'])) {
    const names = objects.flatMap((object) => findName(object) ?? []);
    if (names.length > 0) yield names;
  }
}

function findName({ path, members }: ParsedObject): string | undefined {
  const joined = path.join('/');
  if (joined !== 'Event/Attribute' && joined !== 'Event/Object/Attribute') return undefined;
  const [type, value] = [members.get('type'), members.get('value')];
  if (!namingTypes.has(String(type)) || typeof value !== 'string') return undefined;
  if (isFalse(members.get('to_ids')) || isTrue(members.get('deleted'))) return undefined;
  const name = type === 'url' ? value : (value.split('|', 1)[0] ?? '');
  return name.length > nameLengthMax || controls.test(name) ? '' : name;
}

/** Old feeds write booleans as 0 and 1, as numbers or in quotes. */
function isFalse(value: unknown): boolean {
  return value === false || value === 0 || value === '0';
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}

async function* scanObjects(
  chunks: AsyncIterable<Uint8Array>,
  selectedKeys: readonly string[],
): AsyncGenerator<readonly ParsedObject[]> {
  const reader = new JsonObjectReader(selectedKeys);
  const timeSlice = new TimeSlice();
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      await timeSlice.yieldIfOver();
      yield reader.readChunk(bytes.subarray(at, at + chunkBytes));
    }
  }
  reader.end();
}

/** A copy of its own: a part of a larger string keeps the whole of that string in memory. */
function copied(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

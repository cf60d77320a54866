/** What the files of a MISP feed say: its manifest tells the events and when each last changed, an event tells names as attributes. */
import { Problem } from '../../../model/problem.ts';
import { Turn } from '../../dnstap/turn.ts';
import { JsonObjects, type SeenObject } from './json-objects.ts';

const sliceBytes = 16_384;
const eventsMax = 100_000;
const nameLengthMax = 8192;
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const namingTypes = new Set(['domain', 'hostname', 'domain|ip', 'hostname|port', 'url']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: names go to a file with one on each line.
const controls = /[\x00-\x1f\x7f]/;

/** Events by their uuid, with the second at which each last changed. Throws a Problem for what is no manifest. */
export async function readManifest(bytes: AsyncIterable<Uint8Array>): Promise<ReadonlyMap<string, string>> {
  const events = new Map<string, string>();
  for await (const objects of scanObjects(bytes, ['timestamp'])) {
    for (const { path, members } of objects) {
      const [uuid = '', ...below] = path;
      const changed = String(members.get('timestamp'));
      // The uuid becomes part of a path.
      if (below.length > 0 || !uuidForm.test(uuid) || !/^\d{1,12}$/.test(changed)) continue;
      events.set(uuid, changed);
      if (events.size > eventsMax)
        throw new Problem('unavailable', `the manifest has more than ${eventsMax} events`);
    }
  }
  return events;
}

/** Names, hosts and URLs that an event says can be acted upon. Throws a Problem for what is no event, or half of one. */
export async function* scanEventNames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  for await (const objects of scanObjects(bytes, ['type', 'value', 'to_ids', 'deleted'])) {
    const names = objects.flatMap((object) => nameIn(object) ?? []);
    if (names.length > 0) yield names;
  }
}

function nameIn({ path, members }: SeenObject): string | undefined {
  const place = path.join('/');
  if (place !== 'Event/Attribute' && place !== 'Event/Object/Attribute') return undefined;
  const [type, value] = [members.get('type'), members.get('value')];
  if (!namingTypes.has(String(type)) || typeof value !== 'string') return undefined;
  if (isNo(members.get('to_ids')) || isYes(members.get('deleted'))) return undefined;
  const name = type === 'url' ? value : (value.split('|', 1)[0] ?? '');
  return name.length > nameLengthMax || controls.test(name) ? '' : name;
}

/** Feeds of old write 0 and 1, as numbers or in quotes. */
function isNo(value: unknown): boolean {
  return value === false || value === 0 || value === '0';
}

function isYes(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}

async function* scanObjects(
  chunks: AsyncIterable<Uint8Array>,
  wanted: readonly string[],
): AsyncGenerator<readonly SeenObject[]> {
  const objects = new JsonObjects(wanted);
  const turn = new Turn();
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      await turn.over();
      yield objects.take(bytes.subarray(at, at + sliceBytes));
    }
  }
  objects.end();
}

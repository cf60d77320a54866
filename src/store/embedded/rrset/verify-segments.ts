/** Reads every file of the store in a thread, and yields what is damaged. Segments that are compacted away meanwhile do not count. */
import { type Damage, DamagedData } from '../../damage.ts';
import { type ListedSegment, type TableName, tableNames } from '../../rrset/segment/segment-files.ts';
import {
  damageOf,
  type VerifiedSlice,
  type VerifyPosition,
  verifyStart,
} from '../../rrset/segment/verify-table.ts';
import type { Manifest } from './manifest.ts';
import type { RrsetThreads } from './write-segment.ts';

interface VerifyNeeds {
  readonly manifest: Manifest;
  readonly threads: RrsetThreads;
  /** Progress in bytes. */
  readonly onProgress: (done: number, all: number) => void;
}

export async function* verifySegments(needs: VerifyNeeds): AsyncGenerator<Damage> {
  const { manifest, threads, onProgress } = needs;
  const problem = await threads.run('verifier', 'verifyManifest');
  if (problem !== undefined) yield { file: manifest.path, problem };
  const listed = listOrDamage(manifest);
  if ('damage' in listed) {
    yield listed.damage;
    return;
  }
  const all = listed.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const segment of listed.segments) {
    const before = done;
    const found = verifySegment(segment, needs, (bytes) => onProgress(Math.min(before + bytes, all), all));
    for await (const damage of found) yield damage;
    done += segment.bytes;
    onProgress(done, all);
  }
}

function listOrDamage(manifest: Manifest): { segments: readonly ListedSegment[] } | { damage: Damage } {
  try {
    return { segments: manifest.list() };
  } catch (error) {
    if (error instanceof DamagedData) return { damage: damageOf(error) };
    throw error;
  }
}

async function* verifySegment(
  segment: ListedSegment,
  { manifest, threads }: VerifyNeeds,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Damage> {
  const verified: VerifiedSlice[] = [];
  let bytes = 0;
  let isIntact = true;
  for (const table of tablesOf(segment)) {
    let last: VerifiedSlice;
    for (let from: VerifyPosition | undefined = verifyStart; from; from = last.next) {
      last = await threads.run('verifier', 'verifyTable', segment, table, from);
      if (last.damages.length > 0) {
        if (!manifest.isListed(segment.name)) return;
        isIntact = false;
        yield* last.damages;
      }
      onBytes(bytes + (last.next?.offset ?? last.fileBytes));
      if (!last.next) verified.push(last);
    }
    bytes += verified.at(-1)?.fileBytes ?? 0;
  }
  const entries = verified[0]?.entries;
  if (!isIntact || (bytes === segment.bytes && entries === segment.rrsets)) return;
  const problem = `it lists ${segment.name} with ${segment.rrsets} RRsets in ${segment.bytes} bytes, but its files have ${entries} in ${bytes}`;
  yield { file: manifest.path, problem };
}

function tablesOf({ hasTrigrams }: ListedSegment): readonly TableName[] {
  return tableNames.filter((table) => table !== 'trigram' || hasTrigrams);
}

/** Reads every segment from the object store, past the cache, and yields what is damaged. Segments that are compacted away meanwhile do not count. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkerClient } from '../../../concurrency/worker-client.ts';
import { type Damage, DamagedData } from '../../damage.ts';
import { type TableName, tablePath } from '../../rrset/segment/segment-files.ts';
import {
  damageOf,
  type VerifiedSlice,
  type VerifyPosition,
  verifyStart,
} from '../../rrset/segment/verify-table.ts';
import type { TableCalls } from '../../rrset/table-calls.ts';
import type { Objects } from '../s3/open-objects.ts';
import type { SegmentList } from './segment-list.ts';
import { downloadTable } from './segment-objects.ts';
import { type StoredSegment, tablesIn } from './segment-rows.ts';
import { scratchPrefix } from './table-cache.ts';

interface VerifyNeeds {
  readonly list: SegmentList;
  readonly objects: Objects;
  readonly directory: string;
  /** Progress in bytes. */
  readonly onProgress: (done: number, all: number) => void;
}

export async function* verifyObjects({
  list,
  objects,
  directory,
  onProgress,
}: VerifyNeeds): AsyncGenerator<Damage> {
  const segments = await list.listSegments();
  const all = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  const scratch = await mkdtemp(join(directory, scratchPrefix));
  const thread = new WorkerClient<TableCalls, 'verifier'>({
    file: new URL('./segment-worker.ts', import.meta.url),
    workerData: { directory: scratch },
    owner: 'the verification of RRsets',
    finish: [],
  });
  try {
    let done = 0;
    for (const segment of segments) {
      const damages = await findDamages(segment, { list, objects, scratch, thread });
      if (damages.length > 0 && (await list.isListed(segment.name))) yield* damages;
      done += segment.bytes;
      onProgress(done, all);
    }
  } finally {
    await thread.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Verifier extends Pick<VerifyNeeds, 'list' | 'objects'> {
  readonly scratch: string;
  readonly thread: WorkerClient<TableCalls, 'verifier'>;
}

async function findDamages(segment: StoredSegment, verifier: Verifier): Promise<readonly Damage[]> {
  const blockChecksums = await verifier.list.findBlockChecksums(segment.name);
  if (!blockChecksums) return [];
  const damages: Damage[] = [];
  for (const table of tablesIn(segment)) {
    const path = tablePath(verifier.scratch, segment.name, table);
    try {
      const reader = verifier.objects.newReader();
      await downloadTable({ reader, segment, table, blockChecksums, path });
      damages.push(...(await verifyFile(segment, table, verifier)));
    } catch (error) {
      if (!(error instanceof DamagedData)) throw error;
      damages.push(damageOf(error));
    } finally {
      await rm(path, { force: true });
    }
  }
  return damages;
}

/** What is wrong with a table that is what was uploaded. */
async function verifyFile(
  segment: StoredSegment,
  table: TableName,
  { thread }: Verifier,
): Promise<readonly Damage[]> {
  const { name, checksums, rrsets, object } = segment;
  const damages: Damage[] = [];
  for (let from: VerifyPosition | undefined = verifyStart; from; ) {
    const slice: VerifiedSlice = await thread.run(
      'verifier',
      'verifyTable',
      { name, checksums },
      table,
      from,
    );
    damages.push(...slice.damages.map((damage) => ({ ...damage, file: `${object} (${table})` })));
    if (!slice.next && table === 'forward' && slice.entries !== rrsets)
      damages.push({ file: object, problem: `it has ${slice.entries} RRsets, and ${rrsets} in the list` });
    from = slice.next;
  }
  return damages;
}

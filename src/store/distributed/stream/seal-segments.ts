/**
 * Moves chunks of closed minutes to S3, as segments. The object is there before the row that names it, and the row replaces the chunks in one
 * transaction: so every line is in one of both at any time, whenever a node dies. Of two that seal the same chunks one gives up.
 */
import { minuteMs } from '../../../model/durations.ts';
import { DamagedData } from '../../damage.ts';
import type { Offset, StreamName } from '../../stream-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import type { StoredObject, StoredObjects } from '../s3/stored-objects.ts';
import type { StreamParts } from './stream-parts.ts';

/** The largest segment, unless a chunk is. A minute may have several, also before it is closed. */
const segmentBytesMax = 8 << 20;

const chunksMax = 20_000;

/** For nodes whose clocks are behind. */
const minutesUnsealed = 1;

interface Sealable {
  readonly stream: StreamName;
  readonly minute: number;
  readonly from: Offset;
  readonly to: Offset;
  readonly startLine: number;
  readonly lines: number;
}

export interface SealNeeds {
  readonly database: PostgresDatabase;
  readonly objects: StoredObjects;
  readonly parts: StreamParts;
}

class ChunksGone extends Error {}

/** Returns how many segments were made. A stream with a damaged chunk is left alone: the error is thrown when all others are done. */
export async function sealSegments(needs: SealNeeds, nowMs: number, signal?: AbortSignal): Promise<number> {
  const closedBefore = Math.floor(nowMs / minuteMs) - minutesUnsealed;
  let made = 0;
  let damage: DamagedData | undefined;
  for (const stream of await listUnsealed(needs.database)) {
    try {
      made += await sealStream(needs, stream, closedBefore, signal);
    } catch (error) {
      if (!(error instanceof DamagedData)) throw error;
      damage ??= error;
    }
  }
  if (damage) throw damage;
  return made;
}

async function sealStream(
  needs: SealNeeds,
  stream: StreamName,
  closedBefore: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let made = 0; ; made += 1)
    if (signal?.aborted || !(await sealNext(needs, stream, closedBefore))) return made;
}

async function listUnsealed(database: PostgresDatabase): Promise<readonly StreamName[]> {
  const rows = await database.read(
    (sql) => sql<{ name: string }[]>`
      select name from stream where exists (select 1 from stream_chunk where stream_chunk.stream = name) order by name`,
  );
  return rows.map(({ name }) => name);
}

/** False where nothing is left to seal. */
async function sealNext(needs: SealNeeds, stream: StreamName, closedBefore: number): Promise<boolean> {
  const sealable = await findSealable(needs.database, stream, closedBefore);
  if (!sealable) return false;
  const { minute, from, to } = sealable;
  const chunks = needs.parts.readChunks(stream, from, to);
  const object = await needs.objects.upload(`streams/${stream}/${minute}-${from}`, chunks);
  try {
    await needs.database.write((sql) => replaceChunks(sql, needs.objects, sealable, object));
    return true;
  } catch (error) {
    if (error instanceof ChunksGone) return false;
    throw error;
  }
}

/** The first chunks, all of one minute. */
async function findSealable(
  database: PostgresDatabase,
  stream: StreamName,
  closedBefore: number,
): Promise<Sealable | undefined> {
  const [found] = await database.read(
    (sql) => sql<(Omit<Sealable, 'stream'> & { isFull: boolean })[]>`
      with first as (select minute from stream_chunk where stream = ${stream} order by start_byte limit 1),
      summed as (select start_byte, start_line, size, lines, sum(size) over (order by start_byte) as total
        from stream_chunk where stream = ${stream} and minute = (select minute from first)
        order by start_byte limit ${chunksMax})
      select (select minute from first) as minute, min(start_byte) as from, max(start_byte + size) as to,
        min(start_line) as "startLine", sum(lines)::bigint as lines,
        (select max(total) from summed) > ${segmentBytesMax} as "isFull"
      from summed where total <= ${segmentBytesMax} or total = size
      having count(*) > 0`,
  );
  if (!found || (found.minute >= closedBefore && !found.isFull)) return undefined;
  const { isFull: _, ...sealable } = found;
  return { stream, ...sealable };
}

async function replaceChunks(
  sql: Transaction,
  objects: StoredObjects,
  { stream, minute, from, to, startLine, lines }: Sealable,
  { key, bytes, blockChecksums }: StoredObject,
): Promise<void> {
  // As a reader does: deletion waits, appends do not.
  await sql`select name from stream where name = ${stream} for key share`;
  const [gone] = await sql<{ bytes: number }[]>`
    with gone as (delete from stream_chunk
      where stream = ${stream} and start_byte >= ${from} and start_byte < ${to} returning size)
    select coalesce(sum(size), 0)::bigint as bytes from gone`;
  if (gone?.bytes !== to - from || bytes !== to - from) throw new ChunksGone();
  await sql`
    insert into stream_segment (stream, start_byte, start_line, minute, size, lines, block_checksums, object)
    values (${stream}, ${from}, ${startLine}, ${minute}, ${bytes}, ${lines}, ${blockChecksums}, ${key})`;
  await objects.name(sql, [key]);
}

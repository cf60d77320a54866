/** The update logs of all shards as one: a position is how far each of them was read, and names are listed shard by shard. */
import type { LoggedUpdate } from '../../domain-store.ts';
import type { LogPosition } from '../../paging/log-position.ts';
import type { RecordLog, ShardUpdate } from './record-log.ts';

const separator = '.';

/** How far each shard was read. */
function numbersIn(position: LogPosition, shards: number): number[] {
  const numbers = position.split(separator).map(Number);
  return Array.from({ length: shards }, (_, shard) => numbers[shard] ?? 0);
}

/** One of each shard in rotation, so that none waits for the others. Each shard's own order is kept. */
export async function listUpdates(
  logs: readonly RecordLog[],
  after: LogPosition,
  limit: number,
): Promise<readonly LoggedUpdate[]> {
  const numbers = numbersIn(after, logs.length);
  const found = await Promise.all(logs.map((log, shard) => log.listUpdates(numbers[shard] as number, limit)));
  const updates: LoggedUpdate[] = [];
  for (let at = 0; updates.length < limit && found.some((ofShard) => at < ofShard.length); at += 1) {
    for (const [shard, ofShard] of found.entries()) {
      if (at >= ofShard.length || updates.length === limit) continue;
      const { id, ...update } = ofShard[at] as ShardUpdate;
      numbers[shard] = id;
      updates.push({ ...update, position: numbers.join(separator) });
    }
  }
  return updates;
}

/** A position is the number of a shard, where there are several, and how far it was read: with one shard it is that of the embedded store. */
export async function listNames(
  logs: readonly RecordLog[],
  after: LogPosition,
  limit: number,
): Promise<{ names: readonly string[]; position: LogPosition }> {
  let [last = 0, shard = 0] = after === '' ? [] : after.split(separator).map(Number).toReversed();
  const names: string[] = [];
  for (;;) {
    const rows = (await logs[shard]?.listNames(last, limit - names.length)) ?? [];
    names.push(...rows.map(({ name }) => name));
    last = rows.at(-1)?.id ?? last;
    // The last shard may get more.
    if (names.length === limit || shard >= logs.length - 1) break;
    shard += 1;
    last = 0;
  }
  return { names, position: logs.length === 1 ? String(last) : `${shard}${separator}${last}` };
}

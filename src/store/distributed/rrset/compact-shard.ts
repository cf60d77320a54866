/** Merges all parts of a shard into one. */
import type { ClickHouseClient } from '../clickhouse/clickhouse-client.ts';
import { ClickHouseError, errorCodes } from '../clickhouse/clickhouse-errors.ts';
import { compactRows } from '../clickhouse/sql.ts';

/** Of replicated tables old versions have an internal error instead. They still merge in the background, as all versions do. */
export async function compactShard(shard: ClickHouseClient): Promise<void> {
  try {
    await shard.runOnAll(compactRows);
  } catch (error) {
    const { isModern } = await shard.capabilities();
    const isInternal = error instanceof ClickHouseError && error.code === errorCodes.logicalError;
    if (isModern || !shard.isReplicated || !isInternal) throw error;
  }
}

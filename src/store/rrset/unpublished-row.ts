/** An unpublished batch as databases list it. */
import type { UnpublishedBatch } from '../rrset-store.ts';

export interface UnpublishedRow extends Omit<UnpublishedBatch, 'importId'> {
  readonly importId: string | null;
}

export function unpublishedBatchOf(row: UnpublishedRow | undefined): UnpublishedBatch | undefined {
  return row && { ...row, importId: row.importId ?? undefined };
}

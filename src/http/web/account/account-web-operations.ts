/** The account: keys, what it uses, and its audit log. Its people are in `../session/`. */
import type { UsageReportNeeds } from '../../../product/account/usage-report.ts';
import type { WebOperation } from '../web-operation.ts';
import { type AuditOperationNeeds, auditOperations } from './audit-operations.ts';
import { type KeyOperationNeeds, keyOperations } from './key-operations.ts';
import { usageOperation } from './usage-operation.ts';

export type AccountWebNeeds = KeyOperationNeeds & UsageReportNeeds & AuditOperationNeeds;

export function accountWebOperations(needs: AccountWebNeeds): readonly WebOperation[] {
  return [...keyOperations(needs), usageOperation(needs), ...auditOperations(needs)];
}

/** The account family, under `/v1/account`. */
import type { AdministerNeeds } from '../../../product/account/administer.ts';
import type { SummaryNeeds } from '../../../product/account/summary.ts';
import type { Operation } from '../operation/define-operation.ts';
import { keyOperations } from './key-operations.ts';
import { summaryOperation } from './summary-operation.ts';
import { userOperation } from './user-operation.ts';

export type AccountNeeds = SummaryNeeds & AdministerNeeds;

export function accountOperations(needs: AccountNeeds): readonly Operation[] {
  return [summaryOperation(needs), userOperation(), ...keyOperations(needs)];
}

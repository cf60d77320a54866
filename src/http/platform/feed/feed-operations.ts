/** The feed family, under `/v1/feed`. */
import type { Operation } from '../operation/define-operation.ts';
import { type PollNeeds, pollOperations } from './poll-operations.ts';
import { type TailOperationNeeds, tailOperation } from './tail-operation.ts';

export type FeedNeeds = PollNeeds & TailOperationNeeds;

export function feedOperations(needs: FeedNeeds): readonly Operation[] {
  return [...pollOperations(needs), tailOperation(needs)];
}

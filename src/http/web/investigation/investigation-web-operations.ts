/** The operations of investigations. */
import type { ChargedSearches } from '../search/charged-searches.ts';
import type { WebOperation } from '../web-operation.ts';
import { type ContentOperationNeeds, contentOperations } from './content-operations.ts';
import { type CountOperationNeeds, countOperation } from './count-operation.ts';
import { type FileOperationNeeds, fileOperations } from './file-operations.ts';
import { type GraphOperationNeeds, graphOperation } from './graph-operation.ts';
import { type InvestigationOperationNeeds, investigationOperations } from './investigation-operations.ts';

export type InvestigationWebNeeds = Omit<
  InvestigationOperationNeeds &
    ContentOperationNeeds &
    CountOperationNeeds &
    GraphOperationNeeds &
    FileOperationNeeds,
  'charged'
>;

export function investigationWebOperations(
  given: InvestigationWebNeeds,
  charged: ChargedSearches,
): readonly WebOperation[] {
  const needs = { ...given, charged };
  return [
    ...investigationOperations(needs),
    ...contentOperations(needs),
    countOperation(needs),
    graphOperation(needs),
    ...fileOperations(needs),
  ];
}

/** The operations of a domain's page. */
import type { WebOperation } from '../web-operation.ts';
import { type AnswerOperationNeeds, answerOperations } from './answer-operations.ts';
import { type OverviewNeeds, overviewOperation } from './overview-operation.ts';
import { type PassiveDnsNeeds, passiveDnsOperation } from './passive-dns-operation.ts';
import { type PictureOperationNeeds, pictureOperations } from './picture-operations.ts';
import { type PivotOperationNeeds, pivotOperation } from './pivot-operation.ts';
import { type RecordOperationNeeds, recordOperations } from './record-operations.ts';
import { type RequestOperationNeeds, requestOperations } from './request-operation.ts';

export type DomainWebNeeds = OverviewNeeds &
  RecordOperationNeeds &
  PictureOperationNeeds &
  PivotOperationNeeds &
  RequestOperationNeeds &
  AnswerOperationNeeds &
  PassiveDnsNeeds;

export function domainWebOperations(needs: DomainWebNeeds): readonly WebOperation[] {
  return [
    overviewOperation(needs),
    ...recordOperations(needs),
    ...pictureOperations(needs),
    passiveDnsOperation(needs),
    pivotOperation(needs),
    ...requestOperations(needs),
    ...answerOperations(needs),
  ];
}

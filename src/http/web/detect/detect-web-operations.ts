/** The family of Triage: lists, numbers, single domains, decisions, events. */
import type { WebOperation } from '../web-operation.ts';
import { type DecisionOperationNeeds, decisionOperations } from './decision-operations.ts';
import { type DomainOperationNeeds, domainOperations } from './domain-operations.ts';
import { type EventOperationNeeds, eventOperation } from './event-operation.ts';
import { type ListOperationNeeds, listOperations } from './list-operations.ts';
import { type OverviewNeeds, overviewOperations } from './overview-operations.ts';

export type DetectWebNeeds = ListOperationNeeds &
  OverviewNeeds &
  DomainOperationNeeds &
  DecisionOperationNeeds &
  EventOperationNeeds;

export function detectWebOperations(needs: DetectWebNeeds): readonly WebOperation[] {
  return [
    ...listOperations(needs),
    ...overviewOperations(needs),
    ...domainOperations(needs),
    ...decisionOperations(needs),
    eventOperation(needs),
  ];
}

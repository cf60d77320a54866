/** The Detect family, under `/v1/intel-detect`. */
import type { Operation } from '../operation/define-operation.ts';
import { type BackTestOperationNeeds, backTestOperation } from './back-test-operation.ts';
import { type BlocklistOperationNeeds, blocklistOperations } from './blocklist-operations.ts';
import { type DecisionOperationNeeds, decisionOperations } from './decision-operations.ts';
import { type DomainOperationNeeds, domainOperations } from './domain-operations.ts';
import { type EscalationOperationNeeds, escalationOperations } from './escalation-operations.ts';
import { type EventOperationNeeds, eventOperation } from './event-operation.ts';
import { type InteractiveOperationNeeds, interactiveOperations } from './interactive-operations.ts';
import { type LearningOperationNeeds, learningOperations } from './learning-operations.ts';
import { type MonitorOperationNeeds, monitorOperations } from './monitor-operations.ts';
import { type OpsecOperationNeeds, opsecOperations } from './opsec-operations.ts';
import { type OwnDomainOperationNeeds, ownDomainOperations } from './own-domain-operations.ts';
import { type PreviewOperationNeeds, previewOperation } from './preview-operation.ts';
import { type TriageOperationNeeds, triageOperations } from './triage-operations.ts';

export type DetectNeeds = MonitorOperationNeeds &
  DomainOperationNeeds &
  EscalationOperationNeeds &
  OwnDomainOperationNeeds &
  OpsecOperationNeeds &
  PreviewOperationNeeds &
  BackTestOperationNeeds &
  BlocklistOperationNeeds &
  DecisionOperationNeeds &
  LearningOperationNeeds &
  InteractiveOperationNeeds &
  TriageOperationNeeds &
  EventOperationNeeds;

export function detectOperations(needs: DetectNeeds): readonly Operation[] {
  return [
    ...monitorOperations(needs),
    previewOperation(needs),
    backTestOperation(needs),
    ...domainOperations(needs),
    ...interactiveOperations(needs),
    ...triageOperations(needs),
    ...decisionOperations(needs),
    ...learningOperations(needs),
    ...escalationOperations(needs),
    ...ownDomainOperations(needs),
    ...opsecOperations(needs),
    ...blocklistOperations(needs),
    eventOperation(needs),
  ];
}

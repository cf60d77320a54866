/** Every operation of the platform API. A family joins by adding its function to this list. */
import type { TObject } from 'typebox';
import type { Settings } from '../../model/settings/settings.ts';
import type { IngestNeeds } from '../../product/ingest/append-lines.ts';
import type { AssessNeeds } from '../../product/risk/assess.ts';
import { type AccountNeeds, accountOperations } from './account/account-operations.ts';
import { type CampaignOperationNeeds, campaignOperations } from './campaign/campaign-operations.ts';
import {
  type CampaignStixOperationNeeds,
  campaignStixOperation,
} from './campaign/campaign-stix-operation.ts';
import { type DetectNeeds, detectOperations } from './detect/detect-operations.ts';
import { type DownloadNeeds, downloadOperations } from './download/download-operations.ts';
import { type EnrichNeeds, enrichOperations } from './enrich/enrich-operations.ts';
import { answerOperations } from './evidence/answer-operations.ts';
import { type EvidenceNeeds, evidenceOperations } from './evidence/evidence-operations.ts';
import { type FeedNeeds, feedOperations } from './feed/feed-operations.ts';
import { ingestOperations } from './ingest/ingest-operations.ts';
import { type InvestigateNeeds, investigateOperations } from './investigate/investigate-operations.ts';
import type { Operation, OperationDescription } from './operation/define-operation.ts';
import { requestParameters } from './operation/route-schema.ts';
import { riskOperations } from './risk/risk-operations.ts';

export type OperationNeeds = AccountNeeds &
  DetectNeeds &
  CampaignOperationNeeds &
  CampaignStixOperationNeeds &
  EnrichNeeds &
  AssessNeeds &
  InvestigateNeeds &
  EvidenceNeeds &
  FeedNeeds &
  DownloadNeeds &
  IngestNeeds;

export function platformOperations(needs: OperationNeeds): readonly Operation[] {
  return [
    ...accountOperations(needs),
    ...detectOperations(needs),
    ...campaignOperations(needs),
    campaignStixOperation(needs),
    ...enrichOperations(needs),
    ...riskOperations(needs),
    ...investigateOperations(needs),
    ...evidenceOperations(needs),
    ...answerOperations(needs),
    ...feedOperations(needs),
    ...downloadOperations(needs),
    ...ingestOperations(needs),
  ];
}

export interface ListedOperation
  extends Pick<OperationDescription, 'id' | 'family' | 'route' | 'product' | 'permission' | 'summary'> {
  /** Everything that a request may send besides credentials. */
  readonly parameters: TObject;
}

/**
 * What all operations are, without a server: for documentation and checks. Only the functions of an operation need the
 * stores; defining it reads nothing but the settings.
 */
export function listOperations(settings: Settings): readonly ListedOperation[] {
  const operations = platformOperations({ settings, linkKey: Buffer.alloc(32) } as OperationNeeds);
  return operations.map((operation) => {
    const { id, family, route, product, permission, summary } = operation;
    return { id, family, route, product, permission, summary, parameters: requestParameters(operation) };
  });
}

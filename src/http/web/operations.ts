/** Every operation of the web UI. A family joins by adding its function to this list, and its needs to the type. */

import type { CampaignStixNeeds } from '../campaign/send-campaign-stix.ts';
import { type AccountWebNeeds, accountWebOperations } from './account/account-web-operations.ts';
import { type AlertWebNeeds, alertWebOperations } from './alert/alert-web-operations.ts';
import { type BlocklistWebNeeds, blocklistWebOperations } from './blocklist/blocklist-web-operations.ts';
import { campaignStixWebOperation } from './campaign/campaign-stix-operation.ts';
import { type CampaignWebNeeds, campaignWebOperations } from './campaign/campaign-web-operations.ts';
import { type DetectWebNeeds, detectWebOperations } from './detect/detect-web-operations.ts';
import { type DomainWebNeeds, domainWebOperations } from './domain/domain-web-operations.ts';
import { type EvidenceWebNeeds, evidenceWebOperations } from './evidence/evidence-web-operations.ts';
import { type FeedWebNeeds, feedWebOperations } from './feed/feed-web-operations.ts';
import { type HealthWebNeeds, healthWebOperations } from './health/health-web-operations.ts';
import {
  type InvestigationWebNeeds,
  investigationWebOperations,
} from './investigation/investigation-web-operations.ts';
import { type LearningWebNeeds, learningWebOperations } from './learning/learning-web-operations.ts';
import { type MonitorWebNeeds, monitorWebOperations } from './monitor/monitor-web-operations.ts';
import {
  type PassiveDnsWebNeeds,
  passiveDnsWebOperations,
} from './passive-dns/passive-dns-web-operations.ts';
import { type ReportWebNeeds, reportWebOperations } from './report/report-web-operations.ts';
import { ChargedSearches } from './search/charged-searches.ts';
import { type SearchWebNeeds, searchWebOperations } from './search/search-web-operations.ts';
import { type SessionWebNeeds, sessionWebOperations } from './session/session-web-operations.ts';
import { type SignOnWebNeeds, signOnWebOperations } from './sign-on/sign-on-web-operations.ts';
import { type TagWebNeeds, tagWebOperations } from './tag/tag-web-operations.ts';
import type { WebOperation } from './web-operation.ts';

export type WebNeeds = SessionWebNeeds &
  AccountWebNeeds &
  SignOnWebNeeds &
  DetectWebNeeds &
  CampaignWebNeeds &
  CampaignStixNeeds &
  DomainWebNeeds &
  EvidenceWebNeeds &
  MonitorWebNeeds &
  LearningWebNeeds &
  SearchWebNeeds &
  AlertWebNeeds &
  BlocklistWebNeeds &
  InvestigationWebNeeds &
  TagWebNeeds &
  PassiveDnsWebNeeds &
  HealthWebNeeds &
  ReportWebNeeds &
  FeedWebNeeds;

export function webOperations(needs: WebNeeds): readonly WebOperation[] {
  /** A search that was just made is not charged again when it is saved. */
  const charged = new ChargedSearches(needs);
  return [
    ...sessionWebOperations(needs),
    ...accountWebOperations(needs),
    ...signOnWebOperations(needs),
    ...detectWebOperations(needs),
    ...campaignWebOperations(needs),
    campaignStixWebOperation(needs),
    ...domainWebOperations(needs),
    ...evidenceWebOperations(needs),
    ...monitorWebOperations(needs),
    ...learningWebOperations(needs),
    ...searchWebOperations(needs, charged),
    ...alertWebOperations(needs),
    ...blocklistWebOperations(needs),
    ...investigationWebOperations(needs, charged),
    ...tagWebOperations(needs),
    ...passiveDnsWebOperations(needs),
    ...healthWebOperations(needs),
    ...reportWebOperations(needs),
    ...feedWebOperations(needs),
  ];
}

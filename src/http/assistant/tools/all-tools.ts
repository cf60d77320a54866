/** All tools. A family joins by adding its function to this list, and its needs to the type. */

import { type Caller, findGrant, isWithdrawn } from '../../../model/account/account.ts';
import { permits } from '../../../model/account/permission.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Tool } from '../tool.ts';
import { type AccountToolNeeds, accountTool } from './account-tool.ts';
import { type BackTestToolNeeds, backTestTool } from './back-test-tool.ts';
import { type CampaignToolNeeds, campaignTools } from './campaign-tools.ts';
import { type CaseToolNeeds, caseTools } from './case-tools.ts';
import { type DomainToolNeeds, domainTools } from './domain-tools.ts';
import { type EvidenceToolNeeds, evidenceTool } from './evidence-tool.ts';
import { type LookalikeToolNeeds, lookalikeTools } from './lookalike-tools.ts';
import { type MonitorToolNeeds, monitorTools } from './monitor-tools.ts';
import { type NameToolNeeds, nameTools } from './name-tools.ts';
import { type PdnsToolNeeds, pdnsTools } from './pdns-tools.ts';
import { type RequestToolNeeds, requestTool } from './request-tool.ts';
import { type SearchToolNeeds, searchTools } from './search-tools.ts';
import { type SuggestionToolNeeds, suggestionTool } from './suggestion-tool.ts';

export type ToolNeeds = DomainToolNeeds &
  SearchToolNeeds &
  PdnsToolNeeds &
  LookalikeToolNeeds &
  NameToolNeeds &
  MonitorToolNeeds &
  BackTestToolNeeds &
  SuggestionToolNeeds &
  CampaignToolNeeds &
  RequestToolNeeds &
  EvidenceToolNeeds &
  CaseToolNeeds &
  AccountToolNeeds;

export function allTools(needs: ToolNeeds): readonly Tool[] {
  return [
    ...domainTools(needs),
    ...searchTools(needs),
    ...pdnsTools(needs),
    ...lookalikeTools(needs),
    ...nameTools(needs),
    ...monitorTools(needs),
    backTestTool(needs),
    suggestionTool(needs),
    ...campaignTools(needs),
    requestTool(needs),
    evidenceTool(needs),
    ...caseTools(needs),
    accountTool(needs),
  ];
}

/** Those that the caller may use: a model that sees no tool is not tempted by it. */
export function toolsFor(
  tools: readonly Tool[],
  { account, user }: Caller,
  { assistant }: Pick<Settings, 'assistant'>,
  nowMs: number,
): readonly Tool[] {
  return tools.filter(({ products, permission, writes = false }) => {
    if (writes && !assistant.writeTools) return false;
    if (!permits(user.permissions, permission)) return false;
    return products.every((product) =>
      product === 'pdns'
        ? user.pdns !== undefined && !isWithdrawn(account, 'pdns')
        : findGrant(account, product, nowMs, user.products) !== undefined,
    );
  });
}

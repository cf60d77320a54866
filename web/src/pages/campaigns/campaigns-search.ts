/** The state of the pages of campaigns in their addresses. Defaults are absent, so that one view has one address. */
import { oneOf, oneText } from '../../data/address.ts';

export const campaignViews = ['active', 'followed', 'closed'] as const;
export type CampaignsView = (typeof campaignViews)[number];

export interface CampaignsSearch {
  /** Absent: the active ones. */
  readonly view?: Exclude<CampaignsView, 'active'>;
  readonly q?: string;
}

const textMax = 200;

export function campaignsSearch(raw: Readonly<Record<string, unknown>>): CampaignsSearch {
  const view = oneOf(raw['view'], ['followed', 'closed'] as const);
  const q = oneText(raw['q'])?.slice(0, textMax);
  return { ...(view && { view }), ...(q !== undefined && { q }) };
}

export const campaignTabs = ['timeline', 'graph', 'members', 'values'] as const;
export type CampaignTab = (typeof campaignTabs)[number];

export interface CampaignSearch {
  /** Absent: the timeline. */
  readonly tab?: Exclude<CampaignTab, 'timeline'>;
}

export function campaignSearch(raw: Readonly<Record<string, unknown>>): CampaignSearch {
  const tab = oneOf(raw['tab'], ['graph', 'members', 'values'] as const);
  return tab ? { tab } : {};
}

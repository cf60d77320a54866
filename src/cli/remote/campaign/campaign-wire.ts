/** Campaigns as the API has them. */
import type { Remote } from '../remote-command.ts';

export interface CampaignLink {
  readonly by: string;
  readonly value: string;
}

export interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly state: 'active' | 'closed';
  readonly followed: boolean;
  readonly origin: 'found' | 'made';
  readonly created_date: string;
  readonly created_by: string | null;
  readonly last_joined_date: string;
  readonly member_count: number;
  readonly past_member_count: number;
  readonly monitors: readonly { readonly term: string }[];
  readonly links: readonly (CampaignLink & {
    readonly domains: number;
    readonly known: number;
    readonly first_seen_date: string;
    readonly last_seen_date: string;
  })[];
  readonly max_risk_score: number | null;
}

export interface CampaignMember {
  readonly domain: string;
  readonly state: string;
  readonly joined_date: string;
  readonly first_seen_date: string;
  readonly origin: string;
  readonly links: readonly CampaignLink[];
  readonly risk_score: number | null;
}

export interface TimelineEvent {
  readonly date: string;
  readonly kind: string;
  readonly domain?: string;
  readonly by?: string;
  readonly value?: string;
}

export const campaignsPath = '/v1/intel-detect/campaigns/';

/** `name_server ns1.example` as people write it. */
export const linkText = ({ by, value }: CampaignLink): string => `${by.replaceAll('_', ' ')} ${value}`;

export function allCampaigns(
  { client }: Pick<Remote, 'client'>,
  query: Readonly<Record<string, string | number | boolean>>,
): AsyncGenerator<Campaign> {
  return client.pages<Campaign>(campaignsPath, { query });
}

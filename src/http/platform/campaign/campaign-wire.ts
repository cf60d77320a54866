/** Campaigns on the wire, in the platform API. */
import { type Static, Type } from 'typebox';
import {
  type Campaign,
  type CampaignMember,
  campaignLinkKinds,
  campaignStates,
  timelineEventKinds,
} from '../../../model/campaign/campaign.ts';
import type { TimelineEvent } from '../../../product/campaigns/campaign-timeline.ts';
import { campaignJson, memberJson, timelineEventJson } from '../../campaign/campaign-json.ts';
import { choice } from '../detect/detect-parameters.ts';
import { NullableText, timeOnWire } from '../detect/detect-wire.ts';

const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const linkMembers = {
  by: choice(campaignLinkKinds, 'what kind of value it is'),
  value: Type.String({ description: 'from third parties' }),
};

export const CampaignOnWire = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    note: Type.String(),
    state: choice(campaignStates, 'a closed one raises no alerts'),
    followed: Type.Boolean({ description: 'whether a new member raises an alert' }),
    origin: choice(['found', 'made'], 'made: by a person'),
    created_date: Type.String(),
    created_by: NullableText,
    first_seen_date: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'when its first member was discovered',
    }),
    last_joined_date: Type.String(),
    member_count: Type.Integer({ description: 'those that have left the lists included' }),
    past_member_count: Type.Integer({ description: 'those that have left the lists' }),
    monitors: Type.Array(Type.Object({ id: Type.String(), term: Type.String() }), {
      description: 'that report its members',
    }),
    links: Type.Array(
      Type.Object({
        ...linkMembers,
        domains: Type.Integer({ description: 'members that had it' }),
        known: Type.Integer({ description: 'of all known domains, how many have it' }),
        first_seen_date: Type.String(),
        last_seen_date: Type.String(),
      }),
      { description: 'the strongest first: five in a list, up to a hundred of one campaign' },
    ),
    max_risk_score: NullableInteger,
  },
  { title: 'Campaign' },
);

export const campaignOnWire = (campaign: Campaign): Static<typeof CampaignOnWire> =>
  campaignJson(campaign, timeOnWire);

export const CampaignMemberOnWire = Type.Object(
  {
    domain: Type.String({ description: 'punycode' }),
    domain_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'on the watchlist; null where it has left the lists',
    }),
    state: choice(['new', 'watched', 'ignored', 'past'], 'past: it has left the lists'),
    joined_date: Type.String(),
    first_seen_date: Type.String({ description: 'when it was discovered' }),
    origin: choice(['found', 'added'], 'added: by a person'),
    links: Type.Array(Type.Object(linkMembers), {
      description: 'what linked it to other members when it joined',
    }),
    risk_score: NullableInteger,
  },
  { title: 'CampaignMember' },
);

export const memberOnWire = (member: CampaignMember): Static<typeof CampaignMemberOnWire> =>
  memberJson(member, timeOnWire);

export const TimelineEventOnWire = Type.Object({
  date: Type.String(),
  kind: choice(timelineEventKinds, 'what happened'),
  domain: Type.Optional(Type.String({ description: 'punycode; absent for those of a link' })),
  by: Type.Optional(linkMembers.by),
  value: Type.Optional(linkMembers.value),
});

export const timelineEventOnWire = (event: TimelineEvent): Static<typeof TimelineEventOnWire> =>
  timelineEventJson(event, timeOnWire);

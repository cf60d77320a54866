/** Campaigns, as the web UI gets them: as the platform API has them, with times in ISO 8601. */
import { type Static, Type } from 'typebox';
import {
  campaignDomainsMax,
  campaignLinkKinds,
  campaignNameMax,
  campaignNoteMax,
  campaignPageMax,
  campaignStates,
  memberPageMax,
  timelineEventKinds,
} from '../../../model/campaign/campaign.ts';
import { NullableInteger, NullableText, oneOf } from '../wire-values.ts';

const offsetMax = 1_000_000;
const Offset = Type.Optional(Type.Integer({ minimum: 0, maximum: offsetMax }));
const Names = Type.Array(Type.String({ maxLength: 2048 }), { maxItems: campaignDomainsMax });
const linkMembers = { by: oneOf(campaignLinkKinds), value: Type.String() };

/** A campaign: of PATCH and GET /ui/api/campaigns/:id and of every change. */
export const CampaignView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  note: Type.String(),
  state: oneOf(campaignStates),
  followed: Type.Boolean(),
  origin: oneOf(['found', 'made']),
  created_date: Type.String(),
  created_by: NullableText,
  first_seen_date: NullableText,
  last_joined_date: Type.String(),
  member_count: Type.Integer({ description: 'those that have left the lists included' }),
  past_member_count: Type.Integer(),
  monitors: Type.Array(Type.Object({ id: Type.String(), term: Type.String() })),
  links: Type.Array(
    Type.Object({
      ...linkMembers,
      domains: Type.Integer(),
      known: Type.Integer({ description: 'of all known domains' }),
      first_seen_date: Type.String(),
      last_seen_date: Type.String(),
    }),
    { description: 'the strongest first; five in a list' },
  ),
  max_risk_score: NullableInteger,
});
export type CampaignView = Static<typeof CampaignView>;

/** GET /ui/api/campaigns */
export const CampaignListQuery = Type.Object({
  followed: Type.Optional(oneOf(['true', 'false'])),
  state: Type.Optional(oneOf(campaignStates)),
  domain: Type.Optional(Type.String({ maxLength: 2048 })),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  offset: Offset,
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: campaignPageMax })),
});

export const CampaignList = Type.Object({
  total_count: Type.Integer(),
  campaigns: Type.Array(CampaignView),
});
export type CampaignList = Static<typeof CampaignList>;

/** POST /ui/api/campaigns */
export const CampaignBody = Type.Object({
  name: Type.String({ maxLength: campaignNameMax }),
  domains: Names,
});
export type CampaignBody = Static<typeof CampaignBody>;

/** PATCH /ui/api/campaigns/:id */
export const CampaignChangeBody = Type.Object({
  name: Type.Optional(Type.String({ maxLength: campaignNameMax })),
  note: Type.Optional(Type.String({ maxLength: campaignNoteMax })),
  followed: Type.Optional(Type.Boolean()),
  state: Type.Optional(oneOf(campaignStates)),
});
export type CampaignChangeBody = Static<typeof CampaignChangeBody>;

/** GET /ui/api/campaigns/:id/members */
export const CampaignMembersQuery = Type.Object({
  offset: Offset,
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: memberPageMax })),
});

export const CampaignMembers = Type.Object({
  total_count: Type.Integer(),
  members: Type.Array(
    Type.Object({
      domain: Type.String({ description: 'punycode' }),
      domain_id: NullableText,
      state: oneOf(['new', 'watched', 'ignored', 'past']),
      joined_date: Type.String(),
      first_seen_date: Type.String(),
      origin: oneOf(['found', 'added']),
      links: Type.Array(Type.Object(linkMembers)),
      risk_score: NullableInteger,
    }),
  ),
});
export type CampaignMembers = Static<typeof CampaignMembers>;

/** POST /ui/api/campaigns/:id/members */
export const MemberChangeBody = Type.Object({
  add: Type.Optional(Names),
  remove: Type.Optional(Names),
});
export type MemberChangeBody = Static<typeof MemberChangeBody>;

/** GET /ui/api/campaigns/:id/timeline */
export const CampaignTimeline = Type.Object({
  events: Type.Array(
    Type.Object({
      date: Type.String(),
      kind: oneOf(timelineEventKinds),
      domain: Type.Optional(Type.String()),
      by: Type.Optional(linkMembers.by),
      value: Type.Optional(linkMembers.value),
    }),
    { description: 'the oldest first' },
  ),
  truncated: Type.Boolean({ description: 'only the first thousand members are shown' }),
});
export type CampaignTimeline = Static<typeof CampaignTimeline>;

/** Types of the main answers. `/openapi.json` of a server describes all of them, for generators; `test/system/clients/` compares them. */

/** `GET /v1/account/` */
export interface AccountAnswer {
  readonly response: {
    readonly account: { readonly api_username: string; readonly active: boolean };
    readonly products: readonly {
      readonly id: string;
      readonly per_month_limit: string | null;
      readonly per_hour_limit: string | null;
      readonly per_minute_limit: string | null;
      readonly absolute_limit: string | null;
      readonly usage: { readonly today: string; readonly month: string };
      readonly expiration_date: string | null;
    }[];
  };
}

/** A domain record; `docs/api/record.md` lists its members. Values are wrapped: `{ value }`, in Investigate `{ value, count }`. */
export interface DomainRecord {
  readonly domain?: string;
  readonly [member: string]: unknown;
}

/** `GET` and `POST /v1/intel-enrich/` */
export interface EnrichAnswer {
  readonly response: {
    readonly limit_exceeded: boolean;
    readonly message: string;
    readonly results_count: number;
    readonly results: readonly DomainRecord[];
    readonly missing_domains: readonly string[];
  };
}

/** `GET` and `POST /v1/intel-investigate/` */
export interface InvestigateAnswer {
  readonly response: {
    /** Where too many domains match. */
    readonly error?: { readonly code: number; readonly message: string };
    readonly limit_exceeded: boolean;
    readonly has_more_results: boolean;
    readonly message: string;
    readonly results_count?: number;
    readonly total_count?: number;
    readonly position?: string;
    readonly next?: string;
    readonly results?: readonly DomainRecord[];
    readonly missing_domains: readonly string[];
  };
}

/** `GET /v1/risk/evidence/` */
export interface RiskEvidenceAnswer {
  readonly response: {
    readonly domain: string;
    readonly risk_score: number;
    readonly risk_score_status: string;
    readonly components: readonly {
      readonly name: string;
      readonly risk_score: number;
      readonly threats?: readonly string[];
      readonly evidence?: readonly string[];
    }[];
    readonly contributions: readonly {
      readonly component: string;
      readonly code: string;
      readonly reason: string;
      /** Written by third parties: untrusted text. */
      readonly value: string | null;
      readonly evidence: string | null;
      readonly points: number;
    }[];
  };
}

/** A change of `GET /v1/domain-history/` */
export interface RecordChange {
  readonly timestamp: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly source: string;
}

/** An item of `GET /v1/intel-detect/monitors/` */
export interface Monitor {
  readonly term: string;
  readonly match_substring_variations: boolean;
  readonly nameserver_exclusions: readonly string[];
  readonly text_exclusions: readonly string[];
  readonly id: string;
  readonly created_date: string;
  readonly updated_date: string;
  readonly state: string;
  readonly status: string;
  readonly created_by: string;
  /** Nothing is asked of the servers of what it matches. */
  readonly passive_only?: boolean;
  readonly searched: { readonly names: number; readonly of_names: number };
  /** The file of monitors as code that declares it, and its members that have changed since. */
  readonly declared?: { readonly file: string; readonly changed: readonly string[] };
  readonly domain_counts?: {
    readonly new: number;
    readonly watched: number;
    readonly changed: number;
    readonly escalated: number;
  };
}

/** An item of `GET /v1/intel-detect/domains/new/`, `/watched/` and `/ignored/` */
export interface WatchlistDomain {
  readonly state: string;
  readonly domain: string;
  readonly status: string;
  readonly discovered_date: string;
  readonly changed_date: string | null;
  readonly risk_score: number | null;
  readonly risk_score_status: string | null;
  readonly risk_score_components: { readonly proximity: number | null; readonly threat_profile: object };
  readonly mx_exists: boolean;
  readonly tld: string;
  readonly id: string;
  readonly escalations: readonly {
    readonly escalation_type: string;
    readonly id: string;
    readonly created: string;
    readonly created_by: string;
  }[];
  readonly monitor_ids: readonly string[];
  readonly assigned_by?: string;
  readonly assigned_date?: string;
  readonly name_server?: readonly { readonly host: string }[];
  readonly registrant_contact_email?: readonly string[];
  readonly registrar?: string;
  readonly create_date?: number | null;
  readonly ip?: readonly { readonly country_code: string; readonly ip: string; readonly isp: string }[];
  readonly mx?: readonly { readonly host: string }[];
  readonly screenshot?: object;
  readonly match: readonly object[];
  /** By our own sensors; absent if none saw it resolved. */
  readonly sightings?: {
    readonly first: string;
    readonly last: string;
    readonly count: number;
    readonly sensors: readonly {
      readonly sensor: string;
      readonly first: string;
      readonly last: string;
      readonly count: number;
    }[];
    /** Distinct clients on the last day with any, an estimate; only where they are counted. */
    readonly clients?: { readonly day: string; readonly count: number };
  };
}

/** A record of a passive DNS lookup; with `humantime` its times are text. */
export interface PdnsRecord {
  readonly count: number;
  readonly time_first?: number | string;
  readonly time_last?: number | string;
  readonly zone_time_first?: number | string;
  readonly zone_time_last?: number | string;
  readonly rrname: string;
  readonly rrtype: string;
  readonly bailiwick?: string;
  readonly rdata: readonly string[];
}

/** `GET /pdns/v2/rate_limit` */
export interface PdnsRateAnswer {
  readonly rate: {
    readonly reset: number | 'n/a';
    readonly expires?: number;
    readonly limit: number | 'unlimited';
    readonly remaining: number | 'n/a';
    readonly results_max: number;
    readonly offset_max: number | 'n/a';
    readonly burst_size?: number;
    readonly burst_window?: number;
  };
}

/** `POST /batchd/v1/batch/chdetails` */
export interface ChannelDetailsAnswer {
  readonly channels: Readonly<
    Record<
      string,
      { readonly earliest: string; readonly latest: string; readonly size: number; readonly mimetype: string }
    >
  >;
  readonly _status: string;
  readonly _message: string;
}

/** A case: an evidence pack, whom it is for, and what became of it. */
export interface EvidenceCase {
  readonly id: string;
  readonly created: string;
  readonly created_by: string;
  /** Punycode. */
  readonly domains: readonly string[];
  readonly recipient: string;
  readonly recipient_name: string;
  readonly note: string;
  /** When a person sent it: the server sends nothing. */
  readonly sent: string | null;
  readonly answered: string | null;
  readonly outcome: string;
  readonly pack: { readonly sha256: string; readonly bytes: number; readonly path: string };
  readonly letter: { readonly subject: string; readonly text: string };
}

/** `GET /v1/evidence/` */
export interface EvidenceAnswer {
  readonly response: {
    readonly key: { readonly algorithm: string; readonly fingerprint: string; readonly pem: string };
    readonly cases: readonly EvidenceCase[];
  };
}

/** `POST` and `PATCH /v1/evidence/` */
export interface EvidenceCaseAnswer {
  readonly response: EvidenceCase;
}

/** What a server answered to a collector, without its bytes. */
export interface RawAnswer {
  readonly kind: string;
  readonly collector: string;
  readonly asked: string;
  readonly address: string | null;
  readonly request: string;
  readonly first_seen: string;
  readonly last_seen: string;
  readonly media_type: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

/** `GET /v1/evidence/answers/` */
export interface EvidenceAnswersAnswer {
  readonly response: { readonly domain: string; readonly answers: readonly RawAnswer[] };
}

/** A campaign: domains of the lists that belong together by what they share. */
export interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly state: string;
  /** A new member raises an alert. */
  readonly followed: boolean;
  readonly origin: string;
  readonly created_date: string;
  readonly created_by: string | null;
  readonly first_seen_date: string | null;
  readonly last_joined_date: string;
  /** Those that have left the lists included. */
  readonly member_count: number;
  readonly past_member_count: number;
  readonly monitors: readonly { readonly id: string; readonly term: string }[];
  /** The strongest first: five in a list, up to a hundred of one campaign. */
  readonly links: readonly {
    readonly by: string;
    /** Written by third parties: untrusted text. */
    readonly value: string;
    readonly domains: number;
    readonly known: number;
    readonly first_seen_date: string;
    readonly last_seen_date: string;
  }[];
  readonly max_risk_score: number | null;
}

/** A member of `GET /v1/intel-detect/campaigns/members/` */
export interface CampaignMember {
  /** Punycode. */
  readonly domain: string;
  readonly domain_id: string | null;
  readonly state: string;
  readonly joined_date: string;
  readonly first_seen_date: string;
  readonly origin: string;
  readonly links: readonly { readonly by: string; readonly value: string }[];
  readonly risk_score: number | null;
}

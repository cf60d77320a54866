/** The types of Detect: monitors, found domains, triage, escalations, events, subscriptions. */
import type { LookalikeMatch } from '../lookalike/match.ts';
import type { MessageFormat, ReceiverOptions } from './alert/receiver.ts';
import type { DigestSchedule } from './digest-schedule.ts';
import type { Exclusions } from './exclusions.ts';
import type { SensorSighting } from './sightings.ts';

/** Ten letters and digits. */
export type WatchlistId = string;

export interface MonitorSettings extends Exclusions {
  readonly term: string;
  readonly matchSubstringVariations: boolean;
  /** True: nothing is asked of the servers of what it matches. Absent: false. */
  readonly passiveOnly?: boolean;
}

/** What a file of monitors as code says about a monitor: its settings when the file was applied. */
export interface MonitorDeclaration extends Omit<MonitorSettings, 'term'>, Pick<Monitor, 'state'> {
  readonly file: string;
}

export interface Monitor extends MonitorSettings {
  readonly id: WatchlistId;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly state: 'active' | 'inactive';
  /** Completed when its first search of all known names is done. */
  readonly status: 'pending' | 'completed';
  readonly createdBy: string;
  /** Progress of the search of known names. */
  readonly searched: { readonly names: number; readonly ofNames: number };
  /** Undefined where no file declares it. */
  readonly declared: MonitorDeclaration | undefined;
}

export interface DomainCounts {
  readonly new: number;
  readonly watched: number;
  readonly changed: number;
  readonly escalated: number;
}

export const domainStates = ['new', 'watched', 'ignored'] as const;
export type DomainState = (typeof domainStates)[number];

export const escalationTypes = ['blocked', 'external_safe'] as const;
export type EscalationType = (typeof escalationTypes)[number];

/** What a user decides about a domain. Escalated domains are watched. */
export const decisionTargets = ['watched', 'ignored', ...escalationTypes] as const;
export type DecisionTarget = (typeof decisionTargets)[number];

export interface RiskComponents {
  readonly proximity: number | undefined;
  readonly phishing: number | undefined;
  readonly malware: number | undefined;
  readonly spam: number | undefined;
  readonly evidence: readonly string[];
}

/** Values of a record that other domains may share, by which lists are filtered and grouped. */
export interface SharedFacts {
  /** Empty if unknown. */
  readonly registrar: string;
  readonly ip: readonly string[];
  /** Two lower-case letters, of the addresses. */
  readonly country: readonly string[];
  /** SHA-1 of certificates. */
  readonly certificate: readonly string[];
  readonly analytics: readonly string[];
}

/** The facts of a record by which lists are filtered and sorted. */
export interface DomainFacts {
  readonly active: boolean;
  readonly mxExists: boolean;
  readonly nameServers: readonly string[];
  readonly riskScore: number | undefined;
  readonly riskStatus: 'provisional' | 'full' | undefined;
  readonly riskComponents: RiskComponents | undefined;
  /** Left out of domains that are read. */
  readonly shared?: SharedFacts;
}

export interface WatchlistDomain extends DomainFacts {
  readonly id: WatchlistId;
  /** Punycode. */
  readonly domain: string;
  readonly tld: string;
  readonly state: DomainState;
  readonly discoveredMs: number;
  readonly changedMs: number | undefined;
  readonly assigned: { readonly by: string; readonly atMs: number } | undefined;
  readonly monitorIds: readonly WatchlistId[];
  readonly matches: readonly MonitorMatch[];
  readonly escalations: readonly Escalation[];
  /** By our own sensors, in order of their names. */
  readonly sightings: readonly SensorSighting[];
}

export interface MonitorMatch {
  readonly monitorId: WatchlistId;
  readonly reason: Omit<LookalikeMatch, 'term'>;
}

/** The state of an escalation that is submitted to an external service. */
export interface Submission {
  readonly status: 'waiting' | 'submitted' | 'failed';
  readonly attempts: number;
  readonly error: string | undefined;
}

export interface Escalation {
  readonly id: WatchlistId;
  readonly domainId: WatchlistId;
  /** Punycode. */
  readonly domain: string;
  readonly type: EscalationType;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly createdBy: string;
  readonly submission: Submission | undefined;
}

/** What is followed by default. */
export const eventKinds = ['discovered', 'changed', 'escalated', 'risk-full'] as const;
/**
 * Followed on request only, because receivers may know the kinds above alone: an escalation was undone; a sensor saw that somebody resolved
 * the domain, for the first time since the last decision about it; it became a member of a campaign that somebody follows.
 */
export const followableEventKinds = [...eventKinds, 'withdrawn', 'resolved', 'campaign-joined'] as const;
/** About the work on a watchlist, for those who share it. Such an event has no domain of its own. */
export const decisionEventKinds = ['decided', 'undone'] as const;
export type EventKind = (typeof followableEventKinds)[number];
export type DecisionEventKind = (typeof decisionEventKinds)[number];

/** An event on a watchlist. Ignored domains have none but `resolved`. */
export interface WatchlistEvent {
  /** Increases within an account. */
  readonly id: number;
  readonly kind: EventKind;
  readonly atMs: number;
  readonly domainId: WatchlistId;
  readonly domain: string;
  readonly monitorIds: readonly WatchlistId[];
  /**
   * For a change the members of the record, for an escalation its type, for a score the number, for a sighting sensor and times, for a new member
   * of a campaign its name and what links it.
   */
  readonly detail: Readonly<Record<string, unknown>>;
  /** Set where the escalation was undone since. */
  readonly isWithdrawn?: true;
  /** For a withdrawal: the event of the escalation, 0 if it is not known. */
  readonly withdraws?: number;
}

/** A decision or its undoing; one that changes many domains has several events. */
export interface DecisionEvent {
  readonly id: number;
  readonly kind: DecisionEventKind;
  readonly atMs: number;
  readonly decisionId: WatchlistId;
  readonly by: string;
  readonly target: DecisionTarget;
  readonly domainIds: readonly WatchlistId[];
}

/** A receiver of events. */
export interface Subscription {
  readonly id: WatchlistId;
  readonly accountId: string;
  readonly by: 'webhook' | 'email' | 'syslog';
  /** A URL, or a mail address. */
  readonly target: string;
  /** Of messages; digests have only one. */
  readonly format: MessageFormat;
  readonly options: ReceiverOptions;
  readonly events: readonly EventKind[];
  /** Webhooks and syslog get each event at once; digests are sent at the end of an hour or day with events. */
  readonly every: 'event' | 'hour' | 'day';
  /** Of a daily digest; undefined for the end of the UTC day. */
  readonly schedule: DigestSchedule | undefined;
  /** The secret of a webhook is derived from it; empty for others. */
  readonly seed: string;
  readonly createdBy: string;
  readonly createdMs: number;
  /** The last event that was delivered. */
  readonly deliveredId: number;
  readonly failures: number;
  readonly error: string | undefined;
  readonly nextMs: number;
  /** While it is paused nothing is delivered, and events wait as long as they are kept. */
  readonly paused: { readonly by: string; readonly atMs: number } | undefined;
  /** When the receiver last accepted something, a test included. */
  readonly deliveredMs: number | undefined;
}

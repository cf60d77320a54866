/**
 * A collector probes one aspect of a domain (DNS, WHOIS, TLS, …) and returns members of the domain record. It neither stores nor
 * retries nor schedules: `src/pipeline/collection` does.
 */
import type { KeepRaw } from '../../model/evidence/raw-answer.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';

/** As used in `sources` of a record and in the change history. */
export type CollectorName = 'dns' | 'rdap' | 'whois' | 'tls' | 'web' | 'ip' | 'screenshot';

export type RecordMember = keyof DomainRecord;

export interface ProbeRequest {
  /** Punycode, lower case. */
  readonly domain: string;
  /** The stored record, overlaid with what other collectors found in this round. */
  readonly known: DomainRecord;
  readonly nowMs: number;
  /** Aborted at the probe's deadline or when the process stops. */
  readonly signal: AbortSignal;
  /** Called with each answer of a server, if answers are kept. */
  readonly keepRaw?: KeepRaw | undefined;
}

/** That a domain has no web site is a finding; that its server did not answer is a failure, and the record keeps its members. */
export type ProbeResult =
  | {
      readonly outcome: 'found';
      /** The members this collector owns; an absent member is known not to exist. */
      readonly part: Partial<DomainRecord>;
      /** Feed records, without time and domain. */
      readonly lines?: readonly FeedLine[];
    }
  | {
      readonly outcome: 'failed';
      /** For the operator: which server failed, and how. */
      readonly reason: string;
      /** Whether a retry may help soon. */
      readonly isTransient: boolean;
    };

export interface FeedLine {
  readonly feed: Extract<FeedName, 'domainrdap'>;
  /** Without `timestamp` and `domain`. */
  readonly record: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly name: CollectorName;
  /** The record members that this collector owns; no two collectors own the same. */
  readonly members: readonly RecordMember[];
  /** Loads the files that every probe needs; nothing is probed before. However long it takes, no probe fails for it. */
  prepare?(nowMs: number): Promise<void>;
  /** Expected failures are results. Throws only for a defect, or the reason of the aborted signal. */
  probe(request: ProbeRequest): Promise<ProbeResult>;
}

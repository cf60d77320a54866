/** What an evidence pack is made of, read from the stores by its caller. */
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { AbuseContact } from '../../model/registration/rdap/find-abuse-contacts.ts';

/** One file of the pack, with the probe that fetched it. */
export interface SourceItem {
  readonly kind: string;
  readonly collector: string;
  /** The server or URL that was asked. */
  readonly asked: string;
  readonly address: string | undefined;
  readonly request: string;
  readonly firstMs: number;
  readonly seenMs: number;
  readonly mediaType: string;
  readonly isTruncated: boolean;
  readonly bytes: Uint8Array;
}

export interface TimelineEntry {
  readonly atMs: number;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly source: string;
}

export interface SubjectFacts {
  /** Punycode. */
  readonly domain: string;
  readonly record: DomainRecord | undefined;
  readonly risk: {
    readonly score: number;
    readonly status: string;
    readonly reasons: readonly {
      readonly points: number;
      readonly reason: string;
      readonly value?: string;
    }[];
  };
  /** How the name resembles the terms that the account monitors. */
  readonly lookalikes: readonly {
    readonly term: string;
    readonly class: string;
    readonly explanation: string;
  }[];
  readonly abuseContacts: readonly AbuseContact[];
  /** Newest first. */
  readonly timeline: readonly TimelineEntry[];
  readonly items: readonly SourceItem[];
  /** Items that were not included, because the pack would be too large. */
  readonly leftOut: number;
}

export interface PackFacts {
  readonly id: string;
  readonly madeMs: number;
  /** Where this installation is reached. */
  readonly server: string;
  readonly recipient: string;
  readonly note: string;
  readonly subjects: readonly SubjectFacts[];
}

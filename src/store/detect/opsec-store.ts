/** What was asked of domains, and which of them are collected passively alone. */
import type { OutgoingRequest } from '../../model/opsec/outgoing-request.ts';

export interface PassiveDomain {
  /** Punycode. */
  readonly domain: string;
  readonly by: string;
  readonly atMs: number;
}

/** Removed in one transaction. */
export const trimmedAtOnce = 5000;

export interface OpsecStore {
  /** Of each domain the newest `requestsPerDomainMax` are kept. */
  addRequests(requests: readonly OutgoingRequest[]): Promise<void>;

  /** Removes the oldest of all domains, so that `requestsMax` stay. Returns how many were removed. */
  trimRequests(requestsMax: number): Promise<number>;

  /** Newest first. */
  listRequests(domain: string, limit: number): Promise<readonly OutgoingRequest[]>;

  /** False if there are `domainsMax` already. Setting it again changes nothing. */
  setPassive(accountId: string, passive: PassiveDomain, domainsMax: number): Promise<boolean>;

  /** False if it was not set. */
  unsetPassive(accountId: string, domain: string): Promise<boolean>;

  /** Who of this account has set it, and when. */
  findPassive(accountId: string, domain: string): Promise<PassiveDomain | undefined>;

  /** By name. */
  listPassive(accountId: string, limit: number): Promise<readonly PassiveDomain[]>;

  /**
   * Whether any account has set it, or has the domain on its lists by an active passive-only monitor: the servers of the domain do not know
   * accounts apart.
   */
  isPassive(domain: string): Promise<boolean>;
}

/** What was asked of domains, and which of them are collected passively alone. */
import type { OutgoingRequest } from '../../model/opsec/outgoing-request.ts';

export interface PassiveDomain {
  /** Punycode. */
  readonly domain: string;
  readonly by: string;
  readonly atMs: number;
}

export interface OpsecStore {
  /** Of each domain the newest `requestsPerDomainMax` are kept. */
  addRequests(requests: readonly OutgoingRequest[]): Promise<void>;

  /** Newest first. */
  listRequests(domain: string, limit: number): Promise<readonly OutgoingRequest[]>;

  /** False if there are `domainsMax` already. Setting it again changes nothing. */
  setPassive(accountId: string, passive: PassiveDomain, domainsMax: number): Promise<boolean>;

  /** False if it was not set. */
  unsetPassive(accountId: string, domain: string): Promise<boolean>;

  /** By name. */
  listPassive(accountId: string, limit: number): Promise<readonly PassiveDomain[]>;

  /**
   * Whether any account has set it, or has the domain on its lists by an active passive-only monitor: the servers of the domain do not know
   * accounts apart.
   */
  isPassive(domain: string): Promise<boolean>;
}

/** Scores one address from the domains that passive DNS has for it, and publishes the score. Idempotent. */

import type { AddressLookup } from '../../collect/collectors/ip/address-facts.ts';
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import { containsAddress } from '../../model/address/address-list.ts';
import type { Clock } from '../../model/clock.ts';
import { daySeconds, hourSeconds } from '../../model/durations.ts';
import { isBadDomain } from '../../model/risk/address/address-domain.ts';
import { addressRiskOf, isHotAddress } from '../../model/risk/address/address-risk.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import type { JobOutcome } from '../jobs/start-job-worker.ts';
import type { AddressCooldowns } from './address-cooldowns.ts';
import { type AssessDomainsNeeds, assessDomains } from './assess-domains.ts';
import { domainsAt } from './domains-at.ts';
import {
  type AddressLineCounts,
  type PublishAddressNeeds,
  publishAddress,
  resetPublished,
} from './publish-address.ts';
import { findAddressBytes } from './scored-address.ts';

export interface ScoreAddressNeeds extends AssessDomainsNeeds, PublishAddressNeeds {
  readonly rrsets: Pick<RrsetStore, 'scan'>;
  readonly settings: Pick<Settings, 'risk'>;
  /** Loaded with the first bad address. */
  readonly addressFacts: () => Promise<AddressLookup>;
  readonly cooldowns: AddressCooldowns;
  readonly clock: Clock;
  readonly onPublished?: (lines: AddressLineCounts) => void;
}

/** An address with a bad domain is scored again every day: no update says that passive DNS no longer sees a domain there. */
export async function scoreAddress(
  address: string,
  needs: ScoreAddressNeeds,
  signal?: AbortSignal,
): Promise<JobOutcome> {
  const { risk } = needs.settings;
  const bytes = findAddressBytes(address);
  const nowMs = needs.clock.now();
  if (!bytes) return { done: true, againMs: undefined };
  const cooldownEndMs = needs.cooldowns.findEndMs(address, nowMs);
  if (cooldownEndMs !== undefined) return { done: true, againMs: cooldownEndMs };
  const nowSeconds = Math.floor(nowMs / 1000);
  const { resolutions, lastSeconds, rows } = await domainsAt(bytes, needs.rrsets, {
    sinceSeconds: Math.max(0, nowSeconds - risk.addressDays * daySeconds),
    nowSeconds,
    domainsMax: risk.addressDomainsMax,
    ...(signal ? { signal } : {}),
  });
  needs.cooldowns.record(address, rows, nowMs);
  const domains = await assessDomains(resolutions, needs, nowMs, signal);
  await yieldToEventLoop();
  if (!domains.some(isBadDomain)) {
    await resetPublished(address, needs, needs.clock.now());
    return { done: true, againMs: undefined };
  }
  const location = (await needs.addressFacts()).find(address);
  const publishedMs = needs.clock.now();
  const isZeroListed = containsAddress(risk.goodAddresses, address);
  const found = addressRiskOf({ ip: address, domains, location, isZeroListed, nowMs: publishedMs });
  const isActive = lastSeconds >= nowSeconds - risk.addressActiveHours * hourSeconds;
  const isHot = isActive && isHotAddress(found, risk.addressBadPercentOver);
  const lines = await publishAddress(found, isHot, needs, publishedMs);
  needs.onPublished?.(lines);
  return { done: true, againMs: nowMs + daySeconds * 1000 };
}

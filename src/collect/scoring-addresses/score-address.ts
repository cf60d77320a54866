/** Scores one address from the domains that passive DNS has for it, and tells what came of it. Bears repetition. */
import { setImmediate as turn } from 'node:timers/promises';
import { containsAddress } from '../../model/address-range.ts';
import type { Clock } from '../../model/clock.ts';
import { isBadDomain } from '../../model/risk/address-domain.ts';
import { addressRiskOf, isHotAddress } from '../../model/risk/address-risk.ts';
import type { Settings } from '../../model/settings.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import type { AddressKnowledge } from '../collectors/ip/address-facts.ts';
import type { JobOutcome } from '../jobs/work-on-jobs.ts';
import type { AddressRests } from './address-rests.ts';
import { domainsAt } from './domains-at.ts';
import { type DomainsKnownNeeds, domainsKnown } from './domains-known.ts';
import { findAddressBytes } from './scored-address.ts';
import { forgetTold, type TellAddressNeeds, type ToldAddress, tellAddress } from './tell-address.ts';

export interface ScoreAddressNeeds extends DomainsKnownNeeds, TellAddressNeeds {
  readonly rrsets: Pick<RrsetStore, 'scan'>;
  readonly settings: Pick<Settings, 'risk'>;
  /** Loaded when the first bad address is there. */
  readonly places: () => Promise<AddressKnowledge>;
  readonly rests: AddressRests;
  readonly clock: Clock;
  readonly onTold?: (told: ToldAddress) => void;
}

const daySeconds = 86_400;
const hourSeconds = 3600;

/** An address with a bad domain is scored again every day, for nobody tells what passive DNS no longer sees there. */
export async function scoreAddress(
  address: string,
  needs: ScoreAddressNeeds,
  signal?: AbortSignal,
): Promise<JobOutcome> {
  const { risk } = needs.settings;
  const bytes = findAddressBytes(address);
  const nowMs = needs.clock.now();
  if (!bytes) return { done: true, againMs: undefined };
  const restsUntilMs = needs.rests.findEndMs(address, nowMs);
  if (restsUntilMs !== undefined) return { done: true, againMs: restsUntilMs };
  const nowSeconds = Math.floor(nowMs / 1000);
  const { resolutions, lastSeconds, rows } = await domainsAt(bytes, needs.rrsets, {
    sinceSeconds: Math.max(0, nowSeconds - risk.addressDays * daySeconds),
    nowSeconds,
    domainsMax: risk.addressDomainsMax,
    ...(signal ? { signal } : {}),
  });
  needs.rests.note(address, rows, nowMs);
  const domains = await domainsKnown(resolutions, needs, nowMs, signal);
  await turn();
  if (!domains.some(isBadDomain)) {
    await forgetTold(address, needs, needs.clock.now());
    return { done: true, againMs: undefined };
  }
  const place = (await needs.places()).find(address);
  const toldMs = needs.clock.now();
  const isZeroListed = containsAddress(risk.goodAddresses, address);
  const found = addressRiskOf({ ip: address, domains, place, isZeroListed, nowMs: toldMs });
  const isActive = lastSeconds >= nowSeconds - risk.addressActiveHours * hourSeconds;
  const isHot = isActive && isHotAddress(found, risk.addressBadPercentOver);
  const told = await tellAddress(found, isHot, needs, toldMs);
  needs.onTold?.(told);
  return { done: true, againMs: nowMs + daySeconds * 1000 };
}

/** Reads what may link the domains on watchlists, from their records and pictures, when these have changed and now and then. */
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import {
  areSameLinks,
  linksOfDomain,
  registeredMsOf,
  withPastLinks,
} from '../../model/campaign/links-of-domain.ts';
import type { Clock } from '../../model/clock.ts';
import { dayMs, hourMs } from '../../model/durations.ts';
import type { CampaignStore, ReadDomain } from '../../store/detect/campaign-store.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { ImageStore } from '../../store/image-store.ts';

export interface ReadLinksNeeds {
  readonly campaigns: Pick<CampaignStore, 'listUnreadDomains' | 'saveDomainLinks'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly images: Pick<ImageStore, 'findScreenshots'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const domainsAtOnce = 250;
/** A new picture changes no record. */
const readAgainMs = 6 * hourMs;
/** Values that a domain no longer has. */
const rememberedMs = 180 * dayMs;

/** Until all are read, or the signal. Returns how many were read. */
export async function readLinks(needs: ReadLinksNeeds): Promise<number> {
  const { campaigns, domains, images, clock } = needs;
  let read = 0;
  while (!needs.signal?.aborted) {
    const nowMs = clock.now();
    const unread = await campaigns.listUnreadDomains(domainsAtOnce, nowMs - readAgainMs);
    if (unread.length === 0) break;
    const names = unread.map(({ domain }) => domain);
    const [records, screenshots] = [await domains.findRecords(names), await images.findScreenshots(names)];
    const indexes = unread.map((_, index) => index);
    const all = await mapInSlices(indexes, (index): ReadDomain => {
      const { domain, version, links: before } = unread[index] as (typeof unread)[number];
      const perceptualHash = screenshots[index]?.perceptualHash;
      const current = linksOfDomain({ domain, record: records[index], perceptualHash });
      const registeredMs = registeredMsOf(records[index]);
      const links = withPastLinks(current, before, { nowMs, rememberedMs, registeredMs });
      return { domain, version, links, isChanged: !areSameLinks(before, links) };
    });
    await campaigns.saveDomainLinks(all, nowMs);
    read += all.length;
  }
  return read;
}

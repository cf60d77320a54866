/** Finds campaigns while the server runs: one worker at a time, in all accounts in which something has changed. */
import { randomUUID } from 'node:crypto';
import { repeat } from '../../concurrency/repeat.ts';
import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { type FindCampaignsNeeds, findCampaigns } from '../../product/campaigns/find-campaigns.ts';
import type { CampaignStore } from '../../store/detect/campaign-store.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { LeaseStore } from '../../store/lease/lease-store.ts';
import { workExclusively } from '../exclusive-work.ts';
import { type ReadLinksNeeds, readLinks } from './read-links.ts';

export interface CampaignStageNeeds {
  readonly campaigns: CampaignStore;
  readonly domains: ReadLinksNeeds['domains'] & FindCampaignsNeeds['domains'];
  readonly images: ReadLinksNeeds['images'];
  readonly monitors: FindCampaignsNeeds['monitors'];
  readonly leases: Pick<LeaseStore, 'acquireLease' | 'releaseLease'>;
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'campaigns'>;
  readonly onMerged: (accountId: string, campaigns: number) => void;
  /** Error callback; the work is retried. */
  readonly onFailure: (error: unknown) => void;
}

export interface CampaignCounts {
  /** Domains whose links were read. */
  readonly read: number;
  /** Campaigns found. */
  readonly found: number;
  readonly joined: number;
  readonly failures: number;
}

export interface CampaignStage {
  statistics(): CampaignCounts;
  close(): Promise<void>;
}

const accountsAtOnce = 100;

export function startCampaigns(needs: CampaignStageNeeds): CampaignStage {
  const { leases, clock, freeSpace, settings } = needs;
  const stopping = new AbortController();
  const counts = { read: 0, found: 0, joined: 0, failures: 0 };
  const written = new Map<string, string>();
  const onFailure = (error: unknown) => {
    counts.failures += 1;
    needs.onFailure(error);
  };
  const work = async (signal: AbortSignal) => {
    counts.read += await readLinks({ ...needs, signal });
    await findInChangedAccounts({ ...needs, signal, written, counts });
  };
  const exclusive = { leases, clock, holder: randomUUID(), signal: stopping.signal, onFailure };
  const running = workExclusively('campaigns', exclusive, ({ signal }) =>
    repeat(() => work(signal), {
      everyMs: settings.campaigns.everySeconds * 1000,
      signal,
      onFailure,
      isPaused: () => freeSpace?.hasRoom() === false,
    }),
  );
  return {
    statistics: () => ({ ...counts }),
    close: async () => {
      stopping.abort();
      await running;
    },
  };
}

interface FindNeeds
  extends Pick<CampaignStageNeeds, 'campaigns' | 'domains' | 'monitors' | 'clock' | 'settings' | 'onMerged'> {
  readonly signal: AbortSignal;
  readonly written: Map<string, string>;
  readonly counts: { found: number; joined: number };
}

async function findInChangedAccounts(needs: FindNeeds): Promise<void> {
  const { campaigns, clock, settings, written, counts, onMerged } = needs;
  const { membersMin, sharedMax } = settings.campaigns;
  for (const { accountId, version } of await campaigns.listChangedAccounts(accountsAtOnce)) {
    if (needs.signal.aborted) return;
    const options = { membersMin, sharedMax, nowMs: clock.now(), written };
    const { found, joined, merged } = await findCampaigns(accountId, options, needs);
    counts.found += found;
    counts.joined += joined;
    if (merged > 0) onMerged(accountId, merged);
    // What has changed meanwhile has a later version.
    await campaigns.noteFound(accountId, version);
  }
}

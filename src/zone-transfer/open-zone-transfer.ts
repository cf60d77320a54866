/** Zone transfers as part of the service: none unless the settings ask for them and this process answers requests. */
import type { Settings } from '../model/settings/settings.ts';
import type { BlocklistStore } from '../store/detect/blocklist-store.ts';
import type { ZoneTransferNeeds } from './start-zone-transfer.ts';

export interface ZoneTransferServiceNeeds extends ZoneTransferNeeds {
  readonly blocklists: ZoneTransferNeeds['blocklists'] & Pick<BlocklistStore, 'renewSerials'>;
  readonly settings: Pick<Settings, 'rpz' | 'detect' | 'role'>;
  readonly metrics: {
    watch(name: string, help: string, read: () => Readonly<Record<string, number>>): void;
  };
}

export async function openZoneTransfer(needs: ZoneTransferServiceNeeds): Promise<{ close(): Promise<void> }> {
  const { settings, blocklists, clock, logger, metrics } = needs;
  if (settings.role === 'worker') return { close: async () => undefined };
  // The data may have been restored, and then later serials were handed out.
  const renewed = blocklists.renewSerials(clock.now());
  if (settings.rpz.listen === '') {
    const finished = renewed.catch((error: unknown) =>
      logger.error({ err: error }, 'blocklists: the serials cannot be renewed'),
    );
    return { close: () => finished };
  }
  await renewed;
  const { startZoneTransfer } = await import('./start-zone-transfer.ts');
  const transfer = await startZoneTransfer(needs);
  metrics.watch('nameglass_rpz', 'Zone transfers and notifications of secondaries.', () => transfer.counts());
  return transfer;
}

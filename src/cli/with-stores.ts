/** Opens the stores for a command. Commands work on the stores directly, with or without a running server. */
import type { Settings } from '../model/settings/settings.ts';
import type { Stores } from '../stores.ts';
import type { CliNeeds } from './needs.ts';
import { configOf } from './settings-options.ts';

export async function withStores(
  options: object,
  needs: CliNeeds,
  work: (stores: Stores, settings: Settings) => Promise<void>,
  { create }: { create: boolean } = { create: false },
): Promise<void> {
  const { settings } = configOf(options, needs);
  const stores = await needs.openStores(settings, { create });
  try {
    await work(stores, settings);
  } finally {
    await stores.close();
  }
}

/** The actor of the command line in the audit log. */
export function operator(needs: Pick<CliNeeds, 'clock'>) {
  return { actor: 'operator', atMs: needs.clock.now() };
}

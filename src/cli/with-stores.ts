/** Commands that work on the stores directly, beside a running server or without one. */
import type { Settings } from '../model/settings.ts';
import type { CliNeeds, Stores } from './needs.ts';
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

/** In the audit log the command line is the operator. */
export function operator(needs: CliNeeds) {
  return { actor: 'operator', atMs: needs.clock.now() };
}

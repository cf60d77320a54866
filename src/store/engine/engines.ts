/** The servers behind distributed stores, for the commands that maintain them without opening the stores. */
import type { Settings } from '../../model/settings/settings.ts';
import type { EngineCheck } from './engine-check.ts';

export interface Engines {
  /** Makes and upgrades all tables. Returns what was done, such as `jobs 1`; empty if nothing was missing. */
  migrate(settings: Pick<Settings, 'store'>): Promise<readonly string[]>;

  /** Never throws for a server that is away: that is what it finds out. */
  check(settings: Pick<Settings, 'store' | 'data'>): Promise<readonly EngineCheck[]>;
}

/** What a node with distributed stores keeps in files of its own: passive DNS, unless all nodes share it. */
import { mkdirSync } from 'node:fs';
import type { Stores } from '../../stores.ts';
import { usualCacheSizes } from './cache-sizes.ts';
import { FreeSpaceWatch } from './free-space.ts';
import type { EmbeddedStoresOptions } from './open-stores.ts';
import { openRrsetStore } from './rrset-store.ts';

interface LocalStoresOptions
  extends Pick<EmbeddedStoresOptions, 'data' | 'clock' | 'reserve' | 'caches' | 'onFault' | 'onSpaceChange'> {
  readonly hasRrsets: boolean;
}

export function openLocalStores(
  options: LocalStoresOptions,
): Pick<Stores, 'freeSpace'> & { readonly rrsets: Stores['rrsets'] | undefined; close(): Promise<void> } {
  const { data, clock, hasRrsets, onFault, onSpaceChange: onChange } = options;
  const { reserve = { bytes: 0, percent: 0 }, caches = usualCacheSizes } = options;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const freeSpace = new FreeSpaceWatch(data, { reserve, onChange });
  const rrsets = hasRrsets ? openRrsetStore(data, clock, onFault, { freeSpace, caches }) : undefined;
  return {
    rrsets,
    freeSpace,
    async close() {
      freeSpace.close();
      await rrsets?.close();
    },
  };
}

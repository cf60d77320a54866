import type { Clock } from '../model/clock.ts';
import type { StoreCopier } from '../store/copy/store-copier.ts';
import { copyStores, isCopied } from './copy-stores.ts';
import { verifyCopy } from './verify-copy.ts';

export function storeCopier(clock: Clock): StoreCopier {
  return {
    copy: (request) => copyStores(request, clock),
    isCopied: (request) => isCopied(request, clock),
    verify: (request) => verifyCopy(request, clock),
  };
}

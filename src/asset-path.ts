/**
 * Where the files are that come with the package and are not code: the same paths in the repository and in an installed package. Built
 * code is in `dist/`, without folders below it, so the package is one level above this file there as well as here.
 */
import { join } from 'node:path';

type Asset =
  | 'package.json'
  /** Not in a package. */
  | 'src/main.ts'
  | 'src/store/distributed/migrations'
  | 'src/store/embedded/migrations'
  | 'models/default-risk.bin'
  | 'models/well-known-domains.txt'
  | 'web/dist';

export function assetPath(asset: Asset): string {
  return join(import.meta.dirname, '..', asset);
}

/** The guarded dialer of everything that collects. */
import { readFileSync } from 'node:fs';
import type { Settings } from '../model/settings/settings.ts';
import { createDialer, type Dialer } from '../outgoing/guarded-dialer.ts';
import { hostResolver } from '../outgoing/resolve-host.ts';

/** The CA certificates to trust in place of the default ones, if any. */
export function readCollectCa({ caFile }: Settings['collect']): string | undefined {
  return caFile === '' ? undefined : readFileSync(caFile, 'utf8');
}

export function createCollectDialer(collect: Settings['collect'], ca = readCollectCa(collect)): Dialer {
  const { allow, resolvers, httpPort, httpsPort } = collect;
  return createDialer({
    settings: { outgoing: { allow } },
    allowSetting: 'collect.allow',
    resolve: hostResolver(resolvers),
    ...(ca === undefined ? {} : { ca }),
    ports: { http: httpPort, https: httpsPort },
  });
}

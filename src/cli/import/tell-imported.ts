/** After an import: what is new in it is told, by this process or by a server that runs beside it. */
import { tellNews } from '../../collect/news/tell-news.ts';
import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings.ts';
import type { Stores } from '../needs.ts';

/** What this process told; a server may have told more. */
export interface ToldHere {
  readonly domains: number;
  readonly hosts: number;
}

export async function tellImported(
  { rrsets, streams }: Pick<Stores, 'rrsets' | 'streams'>,
  settings: Settings,
  clock: Clock,
): Promise<ToldHere> {
  const told = { domains: 0, hosts: 0 };
  // What comes in from now on is not ours, and might never end.
  const upToSequence = (await rrsets.findUntold())?.greatestSequence ?? 0;
  const onTold = ({ domains, hosts }: ToldHere) => {
    told.domains += domains;
    told.hosts += hosts;
  };
  await tellNews({ rrsets, streams, clock, settings }, { upToSequence, onTold });
  return told;
}

/**
 * A page of a collection. What has changed since the last reading becomes versions first, in a bounded number of steps: what is left then is more to
 * read, for the next page.
 */
import type { Settings } from '../../model/settings/settings.ts';
import type { Author, ObjectPage, ObjectQuery, SharingStore } from '../../store/detect/sharing-store.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { SharedCollection } from './collections.ts';
import { addHotLines, type HotLineNeeds, isHotlistBehind } from './hot-lines.ts';

export interface ReadNeeds extends HotLineNeeds {
  readonly sharing: HotLineNeeds['sharing'] &
    Pick<SharingStore, 'isUnrefreshed' | 'refreshCollection' | 'listObjects'>;
  readonly settings: Pick<Settings, 'sharing'>;
  readonly freeSpace: Pick<FreeSpace, 'requireRoom'>;
}

/** Of some hundred names each: about a second in all. */
const stepsMax = 50;

export async function readCollection(
  { key, title }: SharedCollection,
  accountName: string,
  query: ObjectQuery,
  needs: ReadNeeds,
): Promise<ObjectPage> {
  const { sharing, settings, clock } = needs;
  const isHotlist = key.list === 'hotlist';
  const author: Author = {
    title,
    name: isHotlist ? 'Nameglass' : accountName,
    marking: settings.sharing.tlp,
  };
  const isBehind = () => (isHotlist ? isHotlistBehind(needs) : sharing.isUnrefreshed(key));
  let page = await sharing.listObjects(key, query);
  for (let step = 0; step < stepsMax && !isFull(page, query) && (await isBehind()); step += 1) {
    needs.freeSpace.requireRoom();
    if (isHotlist) await addHotLines(author, needs);
    else await sharing.refreshCollection(key, author, clock.now());
    page = await sharing.listObjects(key, query);
  }
  return page.isMore || !(await isBehind()) ? page : { ...page, isMore: true };
}

function isFull({ versions, isMore }: ObjectPage, { limit }: ObjectQuery): boolean {
  return isMore || versions.length >= limit;
}

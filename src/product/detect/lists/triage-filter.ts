/** The filter of a list of Triage as somebody wrote it, in the spelling of the store. */
import { isDifferenceHash } from '../../../model/picture/difference-hash.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { normaliseText, type TextFormat } from '../../../model/record/normalise-text.ts';
import type { ImageStore } from '../../../store/image-store.ts';
import type { TriageFilter } from '../../../store/triage-store.ts';
import { tldAsStored } from '../domain-list.ts';

export interface FilterNeeds {
  readonly images: Pick<ImageStore, 'listAlike'>;
}

interface WrittenFilter extends Omit<TriageFilter, 'names' | 'narrowedBy'> {
  /** Hashes of pictures: domains whose newest picture resembles one of these. */
  readonly pictures?: readonly string[];
}

const alikeMax = 1000;

/** `pictureField`: what the request calls the hashes of pictures. */
export async function filterAsStored(
  { pictures, ...written }: WrittenFilter,
  pictureField: string,
  { images }: FilterNeeds,
): Promise<TriageFilter> {
  const { tlds, search, nameServers, addresses, countries } = written;
  return {
    ...written,
    ...(tlds && { tlds: tlds.map(tldAsStored) }),
    ...(search !== undefined && { search: search.normalize('NFC').toLowerCase() }),
    ...(nameServers && { nameServers: nameServers.map((text) => asStored('host', text)) }),
    ...(addresses && { addresses: addresses.map((text) => asStored('address', text)) }),
    ...(countries && { countries: countries.map((text) => text.toLowerCase()) }),
    ...(pictures && { names: await namesOf(pictures, pictureField, images) }),
  };
}

/** Text that is no such value is left as it is and matches nothing. */
function asStored(format: TextFormat, text: string): string {
  const made = normaliseText(format, text);
  return 'text' in made ? made.text : text;
}

async function namesOf(
  hashes: readonly string[],
  field: string,
  images: FilterNeeds['images'],
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const hash of hashes) {
    if (!isDifferenceHash(hash))
      throw fieldProblem('invalid-parameters', field, 'must be a hash of 16 hexadecimal digits');
    for (const { domain } of await images.listAlike(hash, alikeMax)) names.add(domain);
  }
  return [...names];
}

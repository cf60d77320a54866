/** The filter of a request as that of the store. */
import { isDifferenceHash } from '../../../model/picture/difference-hash.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { normaliseText, type TextFormat } from '../../../model/record/normalise-text.ts';
import { tldAsStored } from '../../../product/detect/domain-list.ts';
import type { ImageStore } from '../../../store/image-store.ts';
import type { TriageFilter as StoreFilter } from '../../../store/triage-store.ts';
import { definedMembers } from '../../platform/detect/detect-parameters.ts';
import type { TriageFilter } from './filter-wire.ts';

export interface FilterNeeds {
  readonly images: Pick<ImageStore, 'listAlike'>;
}

const none = 'none';
const alikeMax = 1000;

export async function readFilter(filter: TriageFilter, { images }: FilterNeeds): Promise<StoreFilter> {
  const { list, risk, mx, resolved, assignee, picture } = filter;
  return {
    list,
    ...definedMembers({
      monitorIds: filter.monitor,
      classes: filter.class,
      tlds: filter.tld?.map(tldAsStored),
      riskRanges: risk?.filter((range) => range !== none).map(readRange),
      isUnscored: risk?.includes(none),
      mxExists: mx && mx === 'yes',
      resolvedByUs: resolved && resolved === 'yes',
      search: filter.q?.normalize('NFC').toLowerCase(),
      registrars: filter.registrar,
      nameServers: filter.name_server?.map((text) => asStored('host', text)),
      addresses: filter.ip?.map((text) => asStored('address', text)),
      countries: filter.country?.map((text) => text.toLowerCase()),
      names: picture && (await namesOf(picture, images)),
      assignees: assignee?.filter((name) => name !== none),
      isUnassigned: assignee?.includes(none),
      ids: filter.ids,
      arrivedSinceMs: filter.since === undefined ? undefined : readTime('since', filter.since),
    }),
  };
}

export function readTime(field: string, text: string): number {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isWhole ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw fieldProblem('invalid-parameters', field, 'must be a time such as 2026-03-04T10:00:00Z');
  return ms;
}

function readRange(text: string): readonly [from: number, to: number] {
  const [, from, to] = /^(\d{1,3})-(\d{1,3})$/.exec(text) ?? [];
  if (from === undefined || to === undefined)
    throw fieldProblem('invalid-parameters', 'risk', 'must be a range of scores such as 70-100, or none');
  return [Number(from), Number(to)];
}

/** Text that is no such value is left as it is and matches nothing. */
function asStored(format: TextFormat, text: string): string {
  const made = normaliseText(format, text);
  return 'text' in made ? made.text : text;
}

/** Domains whose newest picture resembles one of these. */
async function namesOf(hashes: readonly string[], images: FilterNeeds['images']): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const hash of hashes) {
    if (!isDifferenceHash(hash))
      throw fieldProblem('invalid-parameters', 'picture', 'must be a hash of 16 hexadecimal digits');
    for (const { domain } of await images.listAlike(hash, alikeMax)) names.add(domain);
  }
  return [...names];
}

/** Groups of domains of a list whose newest pictures look alike. */
import type { Account } from '../../../model/account/account.ts';
import { isTelling } from '../../../model/picture/difference-hash.ts';
import { groupAlike } from '../../../model/picture/group-alike.ts';
import type { ImageStore } from '../../../store/image-store.ts';
import type { TriageFilter, TriageStore, ValueCount } from '../../../store/triage-store.ts';
import { noSuchMonitor } from '../monitors.ts';

export interface PictureGroupNeeds {
  readonly triage: Pick<TriageStore, 'listTriageNames'>;
  readonly images: Pick<ImageStore, 'findScreenshots'>;
}

/** Pictures are in another store, and each is read: of a longer list the riskiest domains count. */
const domainsMax = 2000;

export async function countPictureGroups(
  account: Account,
  filter: TriageFilter,
  limit: number,
  { triage, images }: PictureGroupNeeds,
): Promise<{ readonly values: readonly ValueCount[]; readonly more: boolean }> {
  const domains = await triage.listTriageNames(account.id, filter, domainsMax);
  if (domains === 'unknown-monitor') throw noSuchMonitor();
  const screenshots = await images.findScreenshots(domains.map(({ domain }) => domain));
  const hashes = screenshots.map((screenshot) => screenshot?.perceptualHash);
  const groups = groupAlike(hashes.filter((hash) => hash !== undefined && isTelling(hash)) as string[]);
  const members = Map.groupBy(domains, (_, index) => groups.get(hashes[index] ?? ''));
  const values = [...members].flatMap(([value, of]) =>
    value === undefined ? [] : [{ value, domains: of.length, averageRisk: averageOf(of) }],
  );
  values.sort((one, other) => other.domains - one.domains || (one.value < other.value ? -1 : 1));
  return { values: values.slice(0, limit), more: values.length > limit || domains.length === domainsMax };
}

function averageOf(domains: readonly { readonly riskScore: number | undefined }[]): number | undefined {
  const scores = domains.flatMap(({ riskScore }) => riskScore ?? []);
  return scores.length === 0
    ? undefined
    : Math.round(scores.reduce((sum, score) => sum + score, 0) / scores.length);
}

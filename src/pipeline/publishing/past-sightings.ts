/**
 * Reads from passive DNS what was seen of domains before they were found. That is done while no batch waits to be published, and thrown away if
 * one came meanwhile or was counted by another process: so what is read is all up to the batch that was counted last, and later ones are counted
 * as they come.
 */
import type { Clock } from '../../model/clock.ts';
import { answeringZone, isAnswer } from '../../model/detect/answer.ts';
import { mergedSighting } from '../../model/detect/sightings.ts';
import { parseName } from '../../model/dns/name.ts';
import type { Sighting } from '../../model/dns/rrset.ts';
import type { PastSighting, SightingStore } from '../../store/detect/sighting-store.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';

export interface PastSightingNeeds {
  readonly sightings: Pick<SightingStore, 'countedBatch' | 'listPendingDomains' | 'addPast'>;
  readonly rrsets: Pick<RrsetStore, 'scan' | 'findUnpublished'>;
  readonly clock: Clock;
  /** False: everything begins with the domain on the watchlist. */
  readonly readsPassiveDns: boolean;
}

const domainsPerRound = 50;
/** Some domains have millions of names below them; a slice takes a few milliseconds. What is beyond is not counted. */
const slicesMax = 200;

export async function readPastSightings(needs: PastSightingNeeds, signal?: AbortSignal): Promise<void> {
  const { sightings, rrsets } = needs;
  let after = '';
  let failure: unknown;
  for (;;) {
    if (signal?.aborted) return;
    const pending = await sightings.listPendingDomains(after, domainsPerRound);
    after = pending.at(-1) ?? '';
    if (pending.length === 0) break;
    const countedBatch = await sightings.countedBatch();
    if (await rrsets.findUnpublished()) return;
    const past: PastSighting[] = [];
    for (const domain of pending) {
      if (signal?.aborted) return;
      try {
        past.push({ domain, past: needs.readsPassiveDns ? await readPast(domain, needs) : undefined });
      } catch (error) {
        // Damage concerns the domains that need what is damaged: they stay pending, and the others go on.
        failure ??= error;
      }
    }
    if (await rrsets.findUnpublished()) return;
    if (past.length > 0 && !(await sightings.addPast(past, countedBatch))) return;
  }
  if (failure !== undefined) throw failure;
}

async function readPast(domain: string, { rrsets, clock }: PastSightingNeeds): Promise<Sighting | undefined> {
  const name = parseName(domain);
  if (!name) return undefined;
  const rows = rrsets.scan({
    selection: { by: 'owner', name, span: 'below' },
    filter: { types: 'any', fences: {} },
    merged: true,
    nowSeconds: Math.floor(clock.now() / 1000),
  });
  const zone = answeringZone(domain);
  let past: Sighting | undefined;
  let slices = 0;
  for await (const slice of rows) {
    for (const row of slice) if (isAnswer(row, zone)) past = mergedSighting(past, row);
    slices += 1;
    if (slices === slicesMax) break;
  }
  return past;
}

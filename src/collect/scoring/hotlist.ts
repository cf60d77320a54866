/**
 * The hotlist: domains that score so high that whoever meets them should act, as long as sensors see them. A job of a domain looks for it in
 * passive DNS; one that was seen is on the list until its line expires, and is then looked for again. The mark of each domain says until
 * when it is on the list with which scores, so that no line comes twice. What zone files list is no sighting: nobody has asked for it.
 */
import type { Clock } from '../../model/clock.ts';
import { parseName } from '../../model/dns/name.ts';
import type { DomainRisk } from '../../model/risk/assessment.ts';
import type { Settings } from '../../model/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { hotlistLine, isHot, scoresOf } from './risk-lines.ts';

export interface HotlistNeeds {
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly rrsets: Pick<RrsetStore, 'scan'>;
  readonly streams: Pick<StreamStore, 'append' | 'findMark'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'risk'>;
  readonly signal?: AbortSignal;
  readonly onHot?: () => void;
}

export const hotlistKind = 'hotlist';
export const hotlistWriters = 'hotlist:';

/** Of a few milliseconds each: below some domains are millions of names. */
const slicesMax = 200;
const [hourMs, minuteMs] = [3_600_000, 60_000];

/** When each is due again; undefined where it is no longer hot. */
export async function lookForHot(
  domains: readonly string[],
  needs: HotlistNeeds,
): Promise<readonly (number | undefined)[]> {
  const records = await needs.domains.findRecords(domains);
  const againMs: (number | undefined)[] = [];
  for (const [index, domain] of domains.entries()) {
    needs.signal?.throwIfAborted();
    const risk = records[index]?.domain_risk;
    againMs.push(
      risk && isHot(risk, needs.settings.risk) ? await putOnHotlist(domain, risk, needs) : undefined,
    );
  }
  return againMs;
}

async function putOnHotlist(domain: string, risk: DomainRisk, needs: HotlistNeeds): Promise<number> {
  const { streams, settings } = needs;
  const { hotlistHours, hotlistCheckMinutes } = settings.risk;
  const nowMs = needs.clock.now();
  const writer = `${hotlistWriters}${domain}`;
  const mark = await streams.findMark(writer);
  const scores = Object.values(scoresOf(risk)).join(' ');
  const [untilMs = 0, told] = mark === undefined ? [] : partsOf(mark);
  if (untilMs > nowMs && told === scores) return untilMs;
  if (!(await isSeen(domain, nowMs - hotlistHours * hourMs, needs)))
    return nowMs + hotlistCheckMinutes * minuteMs;
  const expiresMs = nowMs + hotlistHours * hourMs;
  const lines = {
    stream: feedStream('domainhotlist'),
    bytes: Buffer.from(hotlistLine(domain, risk, nowMs, expiresMs)),
  };
  // Where it answers false, another process has told it.
  if (await streams.append([lines], nowMs, { writer, from: mark, to: `${expiresMs} ${scores}` }))
    needs.onHot?.();
  return expiresMs;
}

function partsOf(mark: string): [untilMs: number, scores: string] {
  const space = mark.indexOf(' ');
  return [Number(mark.slice(0, space)), mark.slice(space + 1)];
}

/** By a sensor, the domain or anything below it. */
async function isSeen(domain: string, sinceMs: number, { rrsets, clock }: HotlistNeeds): Promise<boolean> {
  const name = parseName(domain);
  if (!name) return false;
  const rows = rrsets.scan({
    selection: { by: 'owner', name, span: 'below' },
    filter: { keepsType: () => true, fences: { lastAfter: Math.ceil(sinceMs / 1000) } },
    merged: true,
    nowSeconds: Math.floor(clock.now() / 1000),
  });
  let slices = 0;
  for await (const slice of rows) {
    if (slice.some(({ origin }) => origin === 'sensor')) return true;
    slices += 1;
    if (slices === slicesMax) return false;
  }
  return false;
}

/**
 * The hotlist: domains with a score high enough to act upon, while sensors see them. A job per domain searches passive DNS for sightings; a
 * domain that was seen is listed until its line expires, and is then searched again. The producer mark of a domain holds the expiry and the
 * scores of its last line, so that no line is appended twice. Zone files are not sightings: they say nothing about resolutions.
 */

import type { Clock } from '../../model/clock.ts';
import { parseName } from '../../model/dns/name.ts';
import { hourMs, minuteMs } from '../../model/durations.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { findLineScores, hotlistLine, isHot, type LineScores } from './risk-lines.ts';

export interface HotlistNeeds {
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly rrsets: Pick<RrsetStore, 'scan'>;
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark'>;
  readonly scorer: Pick<RiskScorer, 'names'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'risk'>;
  readonly signal?: AbortSignal;
  readonly onListed?: () => void;
}

export const hotlistKind = 'hotlist';
export const hotlistProducerPrefix = 'hotlist:';

/** Some domains have millions of names below them; a slice takes a few milliseconds. */
const slicesMax = 200;

/** When each is due again; undefined for a domain that no longer qualifies. */
export async function updateHotlist(
  domains: readonly string[],
  needs: HotlistNeeds,
): Promise<readonly (number | undefined)[]> {
  const records = await needs.domains.findRecords(domains);
  const againMs: (number | undefined)[] = [];
  for (const [index, domain] of domains.entries()) {
    needs.signal?.throwIfAborted();
    const risk = records[index]?.domain_risk;
    const scores = risk && findLineScores(domain, risk, needs.scorer);
    againMs.push(
      scores && isHot(scores, needs.settings.risk) ? await putOnHotlist(domain, scores, needs) : undefined,
    );
  }
  return againMs;
}

async function putOnHotlist(domain: string, line: LineScores, needs: HotlistNeeds): Promise<number> {
  const { streams, settings } = needs;
  const { hotlistHours, hotlistCheckMinutes } = settings.risk;
  const nowMs = needs.clock.now();
  const producer = `${hotlistProducerPrefix}${domain}`;
  const mark = await streams.findProducerMark(producer);
  const scores = Object.values(line).join(' ');
  const [untilMs = 0, publishedScores] = mark === undefined ? [] : partsOf(mark);
  // A later end than that of a new line was set by a clock that was ahead.
  const isListed = untilMs > nowMs && untilMs <= nowMs + hotlistHours * hourMs;
  if (isListed && publishedScores === scores) return untilMs;
  if (!(await isSeen(domain, nowMs - hotlistHours * hourMs, needs)))
    return nowMs + hotlistCheckMinutes * minuteMs;
  const expiresMs = nowMs + hotlistHours * hourMs;
  const lines = {
    stream: feedStream('domainhotlist'),
    bytes: Buffer.from(hotlistLine(domain, line, nowMs, expiresMs)),
  };
  // False where another process has published it.
  if (await streams.append([lines], nowMs, { producer, from: mark, to: `${expiresMs} ${scores}` }))
    needs.onListed?.();
  return expiresMs;
}

function partsOf(mark: string): [untilMs: number, scores: string] {
  const space = mark.indexOf(' ');
  return [Number(mark.slice(0, space)), mark.slice(space + 1)];
}

/** Whether a sensor saw the domain or a name below it. */
async function isSeen(domain: string, sinceMs: number, { rrsets, clock }: HotlistNeeds): Promise<boolean> {
  const name = parseName(domain);
  if (!name) return false;
  const rows = rrsets.scan({
    selection: { by: 'owner', name, span: 'below' },
    filter: { types: 'any', fences: { lastAfter: Math.ceil(sinceMs / 1000) } },
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

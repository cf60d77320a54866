/**
 * Tells the domains that nobody had told of before on the feed of discovered domains. The mark of the writer is the number of the batch
 * and moves together with its lines, so whoever is killed on the way and whoever goes on, each domain is there once.
 */
import type { Clock } from '../../model/clock.ts';
import { lineOf } from '../../model/feed/record-line.ts';
import { secondText } from '../../model/feed/second.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { NameStore, NewDomain } from '../../store/name-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { Turn } from '../dnstap/turn.ts';

export interface DiscoveryTellingNeeds {
  readonly names: Pick<NameStore, 'findUntold' | 'markTold' | 'statistics'>;
  readonly streams: Pick<StreamStore, 'append' | 'findMark'>;
  readonly clock: Clock;
}

const writer = 'discoveries';
const domainsBetweenLooks = 64;

/** Resolves when everything that is untold now has been told, whoever told it, or with the signal. How many this process has told. */
export async function tellDiscoveries(
  { names, streams, clock }: DiscoveryTellingNeeds,
  signal?: AbortSignal,
): Promise<number> {
  let told = 0;
  // What comes in meanwhile might never end.
  let { untold: left } = await names.statistics();
  while (left > 0) {
    const untold = signal?.aborted ? undefined : await names.findUntold();
    if (!untold) break;
    const { batch, domains } = untold;
    const mark = await streams.findMark(writer);
    if (mark === undefined || Number(mark) < batch) {
      const nowMs = clock.now();
      const lines = { stream: feedStream('domaindiscovery'), bytes: await linesOf(domains, nowMs) };
      // Another was faster: the mark says what is left.
      if (!(await streams.append([lines], nowMs, { writer, from: mark, to: String(batch) }))) continue;
      told += domains.length;
    }
    await names.markTold(batch);
    left -= domains.length;
  }
  return told;
}

/** Lines carry the time at which they are told, as those of all feeds: readers go on from a time. */
async function linesOf(domains: readonly NewDomain[], nowMs: number): Promise<Uint8Array> {
  const timestamp = secondText(Math.floor(nowMs / 1000));
  const turn = new Turn();
  const lines: string[] = [];
  for (const { domain } of domains) {
    if (lines.length % domainsBetweenLooks === 0) await turn.over();
    lines.push(lineOf('domaindiscovery', { timestamp, domain }));
  }
  return Buffer.from(lines.join(''));
}

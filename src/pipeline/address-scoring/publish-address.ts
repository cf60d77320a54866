/**
 * Publishes the risk of an address on the feeds when it differs from what was published last. Every address is a producer of its own whose mark
 * is a digest of the published figures; the mark moves in one transaction with the lines: exactly-once append, also after a crash.
 */
import { createHash } from 'node:crypto';
import { lineOf } from '../../model/feed/record-line.ts';
import type { AddressRisk } from '../../model/risk/address/address-risk.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { Lines, StreamStore } from '../../store/stream-store.ts';

export interface PublishAddressNeeds {
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark'>;
}

/** How many lines were written to each feed. */
export interface AddressLineCounts {
  readonly iprisk: number;
  readonly iphotlist: number;
}

export const addressProducerPrefix = 'address-risk:';

const none: AddressLineCounts = { iprisk: 0, iphotlist: 0 };
/** The mark of an address that was published and has no bad domain any more. */
const cleanMark = 'harmless';
const digestCharacters = 22;

export async function publishAddress(
  risk: AddressRisk,
  isHot: boolean,
  { streams }: PublishAddressNeeds,
  nowMs: number,
): Promise<AddressLineCounts> {
  const producer = producerOf(risk.ip);
  const from = await streams.findProducerMark(producer);
  const figures = digestOf(risk);
  const to = isHot ? `${figures} hot` : figures;
  if (from === to) return none;
  const isChanged = from?.split(' ')[0] !== figures;
  const lines = [
    ...(isChanged ? [linesOf('iprisk', risk)] : []),
    ...(isHot ? [linesOf('iphotlist', risk)] : []),
  ];
  // False where another process has published it.
  const isAppended = await streams.append(lines, nowMs, { producer, from, to });
  return isAppended ? { iprisk: isChanged ? 1 : 0, iphotlist: isHot ? 1 : 0 } : none;
}

/** For an address without bad domains: no line is written, but the next bad domain is published even with the same figures as before. */
export async function resetPublished(
  address: string,
  { streams }: PublishAddressNeeds,
  nowMs: number,
): Promise<void> {
  const producer = producerOf(address);
  const from = await streams.findProducerMark(producer);
  if (from !== undefined && from !== cleanMark)
    await streams.append([], nowMs, { producer, from, to: cleanMark });
}

/** Whether the feeds last said that there are bad domains at an address. */
export async function isPublishedAddress(
  address: string,
  streams: Pick<StreamStore, 'findProducerMark'>,
): Promise<boolean> {
  const mark = await streams.findProducerMark(producerOf(address));
  return mark !== undefined && mark !== cleanMark;
}

function producerOf(address: string): string {
  return `${addressProducerPrefix}${address}`;
}

function linesOf(feed: 'iprisk' | 'iphotlist', risk: AddressRisk): Lines {
  return { stream: feedStream(feed), bytes: Buffer.from(lineOf(feed, risk)) };
}

function digestOf(risk: AddressRisk): string {
  const figures = lineOf('iprisk', { ...risk, timestamp: '' });
  return createHash('sha256').update(figures).digest('base64url').slice(0, digestCharacters);
}

/**
 * Tells the risk of an address to the feeds, where it is another than was told last. What was told is the mark of a writer that every
 * address has to itself; it moves together with the lines, so whoever is killed on the way, each line is there once.
 */
import { createHash } from 'node:crypto';
import { lineOf } from '../../model/feed/record-line.ts';
import type { AddressRisk } from '../../model/risk/address-risk.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { Lines, StreamStore } from '../../store/stream-store.ts';

export interface TellAddressNeeds {
  readonly streams: Pick<StreamStore, 'append' | 'findMark'>;
}

/** How many lines were written to each feed. */
export interface ToldAddress {
  readonly iprisk: number;
  readonly iphotlist: number;
}

export const addressWriterPrefix = 'address-risk:';

const nothing: ToldAddress = { iprisk: 0, iphotlist: 0 };
/** The mark of an address that was told, and is harmless now. */
const harmless = 'harmless';
const digestCharacters = 22;

export async function tellAddress(
  risk: AddressRisk,
  isHot: boolean,
  { streams }: TellAddressNeeds,
  nowMs: number,
): Promise<ToldAddress> {
  const writer = writerOf(risk.ip);
  const from = await streams.findMark(writer);
  const figures = digestOf(risk);
  const to = isHot ? `${figures} hot` : figures;
  if (from === to) return nothing;
  const isNews = from?.split(' ')[0] !== figures;
  const lines = [
    ...(isNews ? [linesOf('iprisk', risk)] : []),
    ...(isHot ? [linesOf('iphotlist', risk)] : []),
  ];
  // Where it answers false, another process has told it.
  const isTold = await streams.append(lines, nowMs, { writer, from, to });
  return isTold ? { iprisk: isNews ? 1 : 0, iphotlist: isHot ? 1 : 0 } : nothing;
}

/** No bad domain is left there: no line says so, but when there is one again it is told, even with the same figures. */
export async function forgetTold(
  address: string,
  { streams }: TellAddressNeeds,
  nowMs: number,
): Promise<void> {
  const writer = writerOf(address);
  const from = await streams.findMark(writer);
  if (from !== undefined && from !== harmless)
    await streams.append([], nowMs, { writer, from, to: harmless });
}

/** Whether it was told that there are bad domains at an address. */
export async function isToldAddress(
  address: string,
  streams: Pick<StreamStore, 'findMark'>,
): Promise<boolean> {
  const mark = await streams.findMark(writerOf(address));
  return mark !== undefined && mark !== harmless;
}

function writerOf(address: string): string {
  return `${addressWriterPrefix}${address}`;
}

function linesOf(feed: 'iprisk' | 'iphotlist', risk: AddressRisk): Lines {
  return { stream: feedStream(feed), bytes: Buffer.from(lineOf(feed, risk)) };
}

function digestOf(risk: AddressRisk): string {
  const figures = lineOf('iprisk', { ...risk, timestamp: '' });
  return createHash('sha256').update(figures).digest('base64url').slice(0, digestCharacters);
}

/**
 * Streams: how fast lines become durable, against bare writes and syncs of the same bytes; downloads of a channel against nginx serving
 * the same bytes as a file; and what small requests cost, with ten times the data.
 */
import type { Bench } from './harness/benchmark.ts';
import { benchAppends } from './streams/appends.ts';
import { benchDownloads } from './streams/downloads.ts';
import { benchPolls } from './streams/polls.ts';

export const bench: Bench = async (context) => [
  ...(await benchAppends(context)),
  ...(await benchDownloads(context)),
  ...(await benchPolls(context)),
];

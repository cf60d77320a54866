/** `nameglass tail`: follows a feed or a channel, directly in the store. */

import { once } from 'node:events';
import { type Command, InvalidArgumentError } from 'commander';
import { minuteMs } from '../model/durations.ts';
import { escapeForTerminal } from '../model/escape-for-terminal.ts';
import { type FeedName, feedProducts } from '../model/product-catalogue.ts';
import { channelStream, feedStream } from '../model/stream-names.ts';
import { followStream } from '../product/feed/follow-stream.ts';
import type { Offset, StreamName } from '../store/stream-store.ts';
import type { Stores } from '../stores.ts';
import { readInstant, readPositive } from './argument-readers.ts';
import type { CliNeeds } from './needs.ts';
import { withSettings } from './settings-options.ts';
import { withStores } from './with-stores.ts';

const pollMs = 500;
const lf = 10;

interface Options {
  readonly from?: number;
  readonly lines?: number;
}

export function addTail(program: Command, needs: CliNeeds): void {
  withSettings(program.command('tail'))
    .argument('<feed>', `${Object.keys(feedProducts).join(', ')}, or a channel such as ch212`, readStream)
    .option('--from <time>', 'start with the lines of this minute (default: only new lines)', readInstant)
    .option('--lines <n>', 'stop after N lines', readPositive)
    .addHelpText(
      'after',
      '\nExamples:\n  nameglass tail nod\n  nameglass tail ch204 --from 2026-02-20T17:00:00Z --lines 1000 > sample.ndjson\n' +
        '\nStop with Ctrl-C.\n',
    )
    .action((stream: StreamName, options: Options) =>
      withStores(options, needs, (stores) => tail(stream, options, stores)),
    );
}

async function tail(
  stream: StreamName,
  { from, lines: linesMax = Number.POSITIVE_INFINITY }: Options,
  { streams }: Pick<Stores, 'streams'>,
): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const start: Offset =
    from === undefined
      ? ((await streams.findState(stream))?.end ?? 0)
      : await streams.offsetAt(stream, Math.floor(from / minuteMs));
  const following = { stream, from: start, signal: stop.signal, intervalMs: pollMs };
  let left = linesMax;
  for await (const { bytes } of followStream(following, { streams })) {
    const shown = firstLines(bytes, left);
    left -= shown.lines;
    await write(shown.bytes, stop.signal);
    if (left === 0 || stop.signal.aborted) break;
  }
}

/** The first `linesMax` whole lines. */
function firstLines(bytes: Uint8Array, linesMax: number): { bytes: Uint8Array; lines: number } {
  if (linesMax === Number.POSITIVE_INFINITY) return { bytes, lines: 0 };
  let [at, lines] = [0, 0];
  for (let end = bytes.indexOf(lf); end >= 0 && lines < linesMax; end = bytes.indexOf(lf, at)) {
    at = end + 1;
    lines += 1;
  }
  return { bytes: bytes.subarray(0, at), lines };
}

/** Escapes control characters on a terminal; a pipe gets the lines unchanged. */
async function write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const { stdout } = process;
  const shown = stdout.isTTY
    ? Buffer.from(bytes).toString('utf8').split('\n').map(escapeForTerminal).join('\n')
    : bytes;
  if (stdout.write(shown)) return;
  await once(stdout, 'drain', { signal }).catch(() => undefined);
}

function readStream(text: string): StreamName {
  if (Object.hasOwn(feedProducts, text)) return feedStream(text as FeedName);
  const channel = Number(/^ch([1-9]\d{0,2})$/.exec(text)?.[1] ?? 0);
  if (channel >= 1 && channel <= 255) return channelStream(channel);
  throw new InvalidArgumentError(
    `Expected ${Object.keys(feedProducts).join(', ')}, or a channel such as ch212.`,
  );
}

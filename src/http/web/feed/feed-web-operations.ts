/** What feeds and channels hold, their sessions, and a live tail for the eye. */
import { Type } from 'typebox';
import { KeyedMutex } from '../../../concurrency/keyed-mutex.ts';
import { isFeedName } from '../../../model/feed/feed.ts';
import { Problem } from '../../../model/problem.ts';
import { type FeedName, feedProducts } from '../../../model/product-catalogue.ts';
import { authorize } from '../../../product/account/authorize.ts';
import { type DescribeChannelsNeeds, describeChannels } from '../../../product/batch/describe-channels.ts';
import {
  type DescribedFeed,
  type DescribeFeedsNeeds,
  describeFeeds,
} from '../../../product/feed/describe-feeds.ts';
import { streamGrowth } from '../../../product/feed/follow-stream.ts';
import { endSession, type SessionNeeds as FeedSessionNeeds } from '../../../product/feed/session.ts';
import { findTailStart, scanTail, type TailNeeds } from '../../../product/feed/tail.ts';
import type { SessionNeeds } from '../../../product/people/sessions.ts';
import type { StreamContent } from '../../../store/stream/stream-content.ts';
import { OpenStreams } from '../../platform/event-stream/open-streams.ts';
import {
  type EventStreamNeeds,
  readLastEventId,
  sendEventStream,
} from '../../platform/event-stream/send-event-stream.ts';
import { watchSession } from '../session-watch.ts';
import { defineWebOperation, type WebCaller, type WebOperation } from '../web-operation.ts';
import { isoTime, isoTimeOrNull } from '../wire-values.ts';
import { FeedsView, type FeedView } from './feed-wire.ts';

export interface FeedWebNeeds
  extends DescribeFeedsNeeds,
    DescribeChannelsNeeds,
    Omit<TailNeeds, 'growth'>,
    Omit<FeedSessionNeeds, 'mutex'>,
    EventStreamNeeds,
    SessionNeeds {
  readonly streams: DescribeFeedsNeeds['streams'] & TailNeeds['streams'] & FeedSessionNeeds['streams'];
  readonly settings: DescribeChannelsNeeds['settings'] & TailNeeds['settings'] & SessionNeeds['settings'];
}

const pollMs = 500;
const idleMs = 1000;
/** A person cannot read more; the public operation has no such limit. */
const tailLinesPerBatch = 50;
/** The tail begins with what came in the last minutes, so that a quiet feed is not an empty page. */
const tailBeginsSeconds = 600;

export function feedWebOperations(needs: FeedWebNeeds): readonly WebOperation[] {
  return [listFeeds(needs), removeSession(needs), tailFeed(needs)];
}

function listFeeds(needs: FeedWebNeeds): WebOperation {
  return defineWebOperation({
    method: 'GET',
    path: '/feeds',
    access: 'read',
    charge: 'page',
    summary: 'What each feed and channel holds, with sessions and archives',
    answer: FeedsView,
    handle: async ({ caller, nowMs }) => {
      const [feeds, channels] = await Promise.all([
        describeFeeds(caller, needs, nowMs),
        describeChannels(caller, needs, nowMs),
      ]);
      return {
        retention_days: needs.settings.feeds.retentionDays,
        archive_days: needs.settings.feeds.archiveDays,
        feeds: feeds.map(feedOnWire),
        channels: channels.map(({ number, description, mimetype, ...content }) => ({
          number,
          description,
          mimetype,
          ...contentOnWire(content),
        })),
      };
    },
  });
}

function removeSession(needs: FeedWebNeeds): WebOperation {
  const mutex = new KeyedMutex();
  return defineWebOperation({
    method: 'DELETE',
    path: '/feed-sessions/:feed/:id',
    access: 'manage',
    summary: 'Ends a session: the next poll with its name begins anew',
    params: Type.Object({ feed: Type.String(), id: Type.String() }),
    answer: Type.Void(),
    handle: async ({ caller, params: { feed, id }, signal }) => {
      await endSession({ feed: known(feed), accountId: caller.account.id, id }, { ...needs, mutex }, signal);
    },
  });
}

function tailFeed(needs: FeedWebNeeds): WebOperation {
  const tailNeeds = { ...needs, growth: streamGrowth(needs.streams, pollMs) };
  const openStreams = new OpenStreams(needs.settings.feeds.tailsPerUserMax, 'live tails');
  return defineWebOperation({
    method: 'GET',
    path: '/feeds/:feed/tail',
    access: 'read',
    summary: 'New lines of a feed as server-sent events',
    params: Type.Object({ feed: Type.String() }),
    onClose: () => openStreams.endAll(),
    respond: ({ caller, params, request, reply, nowMs }) => {
      const feed = known(params.feed);
      requireFeed(caller, feed, nowMs);
      const lastId = readLastEventId(request);
      const resumed = typeof lastId === 'number' ? lastId : undefined;
      const afterSeconds = Math.floor(nowMs / 1000) - tailBeginsSeconds;
      const query = { feed, afterSeconds, lastOffset: resumed, filter: undefined };
      const watch = async (onLost: () => void) => watchSession(caller, 'read', needs, onLost);
      async function* newest(signal: AbortSignal) {
        const start = await findTailStart(query, tailNeeds, nowMs);
        for await (const records of scanTail(query, { start, signal, idleMs }, tailNeeds))
          yield records.slice(-tailLinesPerBatch);
      }
      const begin = async (signal: AbortSignal) => newest(signal);
      return sendEventStream({ caller, watch, openStreams, begin }, needs, request, reply);
    },
  });
}

function known(feed: string): FeedName {
  if (!isFeedName(feed)) throw new Problem('not-found', 'There is no such feed.');
  return feed;
}

function requireFeed(caller: WebCaller, feed: FeedName, nowMs: number): void {
  authorize(caller, { product: `${feedProducts[feed]}-(api)`, permission: 'read' }, nowMs);
}

function feedOnWire(feed: DescribedFeed): FeedView {
  const { isProvisioned, hasArchives, sessions, files, feed: name, ...content } = feed;
  return {
    feed: name,
    provisioned: isProvisioned,
    archives: hasArchives,
    ...contentOnWire(content),
    sessions: sessions.map(({ id, usedMs, behindBytes, behindLines }) => ({
      session: id,
      used: isoTime(usedMs),
      behind_bytes: behindBytes,
      behind_lines: behindLines,
    })),
    files: files.map(({ name: file, bytes, modifiedMs }) => ({ name: file, bytes, at: isoTime(modifiedMs) })),
  };
}

function contentOnWire({ lines, bytes, oldestMs, newestMs, linesLastHour }: StreamContent) {
  return {
    lines,
    bytes,
    oldest: isoTimeOrNull(oldestMs),
    newest: isoTimeOrNull(newestMs),
    lines_last_hour: linesLastHour,
  };
}

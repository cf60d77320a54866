/** One feed: its sessions, archives, the command that polls it, and its lines as they come. */
import '../../styles/feeds.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Pause, Play, Radio } from 'lucide-react';
import { useState } from 'react';
import { type Feed, useFeeds, useTail } from '../../data/feeds.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { feedNames, feedSentences, feedWords as words } from '../../words/feeds.ts';
import { feedSearch } from './feed-search.ts';
import { Archives, Commands, Sessions } from './feed-sections.tsx';

export function FeedPage() {
  const { feed: name } = useParams({ from: '/app/feeds/$feed' });
  const feeds = useFeeds();
  const feed = feeds.data?.feeds.find((each) => each.feed === name);
  useTitle(feed ? feedNames[feed.feed] : words.title);
  return (
    <div className="page-body feeds-page">
      <Link to="/feeds" className="button">
        <ArrowLeft size={15} aria-hidden /> {words.back}
      </Link>
      {feeds.isPending && <Skeletons count={6} label={words.region} />}
      {feeds.isError && !feeds.data && (
        <Failure error={feeds.error} what={words.what} retry={() => void feeds.refetch()} />
      )}
      {feeds.data && !feed && <Empty title={words.noSuchFeed} />}
      {feed && <Shown feed={feed} />}
    </div>
  );
}

function Shown({ feed }: { feed: Feed }) {
  const { tail } = feedSearch(useSearch({ from: '/app/feeds/$feed' }));
  const navigate = useNavigate();
  const show = (open: boolean) =>
    void navigate({ to: '/feeds/$feed', params: { feed: feed.feed }, search: open ? { tail: true } : {} });
  return (
    <>
      <header className="page-head">
        <h1>{feedNames[feed.feed]}</h1>
        <code>{feed.feed}</code>
        <div className="grow" />
        <button
          type="button"
          disabled={!feed.provisioned}
          title={feed.provisioned ? undefined : words.notProvisioned}
          onClick={() => show(tail !== true)}
        >
          <Radio size={15} aria-hidden /> {tail ? words.hideTail : words.showTail}
        </button>
      </header>
      <p>{feedSentences[feed.feed]}</p>
      {tail && feed.provisioned && <Tail feed={feed.feed} />}
      <Commands feed={feed} />
      <Sessions feed={feed} />
      <Archives feed={feed} />
    </>
  );
}

function Tail({ feed }: { feed: string }) {
  const [paused, setPaused] = useState(false);
  const { lines, state } = useTail(feed, paused);
  return (
    <section className="panel" aria-label={words.tail}>
      <header className="tail-head">
        <h2>{words.tail}</h2>
        <span className="pale" role="status">
          {paused ? words.paused : words.states[state]}
        </span>
        <div className="grow" />
        <button type="button" onClick={() => setPaused(!paused)}>
          {paused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}{' '}
          {paused ? words.resume : words.pause}
        </button>
      </header>
      {lines.length === 0 ? (
        <p className="pale">{words.waiting}</p>
      ) : (
        <ol className="tail" tabIndex={0} aria-label={words.shownLines(lines.length)}>
          {lines.map(({ id, text }) => (
            <li key={id}>
              <Text of={text} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

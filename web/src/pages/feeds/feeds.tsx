/** What each feed and channel holds, and who is behind. */
import '../../styles/feeds.css';
import { Link } from '@tanstack/react-router';
import { type Feed, type Feeds as FeedsData, useFeeds } from '../../data/feeds.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { feedNames, feedSentences, feedWords as words } from '../../words/feeds.ts';
import { byteSize, number } from '../../words/language.ts';

export function Feeds() {
  useTitle(words.title);
  const feeds = useFeeds();
  return (
    <div className="page-body feeds-page">
      <header className="page-head">
        <h1>{words.title}</h1>
      </header>
      {feeds.isPending && <Skeletons count={9} label={words.region} />}
      {feeds.isError && !feeds.data && (
        <Failure error={feeds.error} what={words.what} retry={() => void feeds.refetch()} />
      )}
      {feeds.data && (
        <>
          <p className="pale">{words.kept(feeds.data.retention_days, feeds.data.archive_days)}</p>
          <FeedTable feeds={feeds.data.feeds} />
          <Channels channels={feeds.data.channels} />
        </>
      )}
    </div>
  );
}

function FeedTable({ feeds }: { feeds: readonly Feed[] }) {
  const { columns } = words;
  return (
    <WideTable label={words.title} panel>
      <table className="data-table">
        <TableHead
          columns={[
            columns.feed,
            { label: columns.lastHour, number: true },
            { label: columns.lines, number: true },
            columns.newest,
            { label: columns.sessions, number: true },
            { label: columns.archives, number: true },
          ]}
        />
        <tbody>
          {feeds.map((feed) => (
            <tr key={feed.feed}>
              <th scope="row">
                <Link to="/feeds/$feed" params={{ feed: feed.feed }}>
                  {feedNames[feed.feed]}
                </Link>{' '}
                <code>{feed.feed}</code>
                <small className="line">{feedSentences[feed.feed]}</small>
                {!feed.provisioned && <small className="line">{words.notProvisioned}</small>}
              </th>
              <td className="number">{number(feed.lines_last_hour)}</td>
              <td className="number">{number(feed.lines)}</td>
              <td>
                {feed.newest === null ? (
                  <span className="pale">{words.nothingYet}</span>
                ) : (
                  <Ago at={feed.newest} />
                )}
              </td>
              <td className="number">{number(feed.sessions.length)}</td>
              <td className="number">{number(feed.files.length)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function Channels({ channels }: Pick<FeedsData, 'channels'>) {
  const { columns, channelColumns } = words;
  return (
    <WideTable label={words.channels} panel>
      <h2>{words.channels}</h2>
      {channels.length === 0 ? (
        <p className="pale">{words.noChannels}</p>
      ) : (
        <table className="data-table">
          <TableHead
            columns={[
              { label: channelColumns.number, number: true },
              channelColumns.description,
              { label: columns.lastHour, number: true },
              { label: channelColumns.size, number: true },
              columns.newest,
            ]}
          />
          <tbody>
            {channels.map((channel) => (
              <tr key={channel.number}>
                <th scope="row" className="number">
                  {channel.number}
                </th>
                <td>
                  <Text of={channel.description} />
                </td>
                <td className="number">{number(channel.lines_last_hour)}</td>
                <td className="number">{byteSize(channel.bytes)}</td>
                <td>
                  {channel.newest === null ? (
                    <span className="pale">{words.nothingYet}</span>
                  ) : (
                    <Ago at={channel.newest} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </WideTable>
  );
}

/** The commands, sessions and archives of a feed. */
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { type Feed, useEndSession } from '../../data/feeds.ts';
import { type Foreign, plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago, Moment } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { feedWords as words } from '../../words/feeds.ts';
import { byteSize } from '../../words/language.ts';
import { copyText } from '../triage/copy-name.ts';
import { showFailure } from '../triage/decision-messages.tsx';

export function Commands({ feed }: { feed: Feed }) {
  const { origin } = window.location;
  return (
    <section className="panel" aria-label={words.curl}>
      <h2>{words.curl}</h2>
      <Command text={words.poll(origin, feed.feed)} />
      <p className="pale">{words.curlHint}</p>
      {feed.archives && (
        <>
          <p>{words.downloadHint}</p>
          <Command text={words.download(origin, feed.feed)} />
        </>
      )}
    </section>
  );
}

function Command({ text }: { text: string }) {
  return (
    <div className="command-line">
      <code>{text}</code>
      <button type="button" onClick={() => void copyText(text, words.copied)}>
        <Copy size={15} aria-hidden /> {words.copy}
      </button>
    </div>
  );
}

export function Sessions({ feed }: { feed: Feed }) {
  const { sessionColumns: columns } = words;
  const missing = useMissing('manage');
  const [ending, setEnding] = useState<Foreign>();
  return (
    <WideTable label={words.sessions} panel>
      <h2>{words.sessions}</h2>
      {feed.sessions.length === 0 ? (
        <p className="pale">{words.noSessions}</p>
      ) : (
        <table className="data-table">
          <TableHead columns={[columns.id, columns.used, columns.behind, { unseen: columns.actions }]} />
          <tbody>
            {feed.sessions.map(({ session, used, behind_lines: behind }) => (
              <tr key={plain(session)}>
                <th scope="row" className="mono">
                  <Text of={session} />
                </th>
                <td>
                  <Ago at={used} />
                </td>
                <td>{behind === 0 ? words.upToDate : words.behind(behind)}</td>
                <td className="number">
                  <button
                    type="button"
                    disabled={missing !== undefined}
                    title={missing}
                    onClick={() => setEnding(session)}
                  >
                    {words.end}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {ending !== undefined && <EndSession feed={feed.feed} id={ending} close={() => setEnding(undefined)} />}
    </WideTable>
  );
}

function EndSession({ feed, id, close }: { feed: string; id: Foreign; close: () => void }) {
  const end = useEndSession(feed);
  const confirm = () =>
    end.mutate(plain(id), {
      onSuccess: () => {
        showToast({ text: words.ended });
        close();
      },
      onError: showFailure,
    });
  return (
    <Dialog label={words.endTitle} close={close}>
      <h2>{words.endTitle}</h2>
      <p className="mono">
        <Text of={id} />
      </p>
      <p>{words.endWhy}</p>
      <DialogButtons action={words.end} danger disabled={end.isPending} run={confirm} close={close} />
    </Dialog>
  );
}

export function Archives({ feed }: { feed: Feed }) {
  const { fileColumns: columns } = words;
  const none = feed.archives ? words.noArchives : words.noArchiveProduct;
  return (
    <WideTable label={words.archives} panel>
      <h2>{words.archives}</h2>
      {feed.files.length === 0 ? (
        <p className="pale">{none}</p>
      ) : (
        <table className="data-table">
          <TableHead columns={[columns.name, { label: columns.size, number: true }, columns.made]} />
          <tbody>
            {feed.files.map(({ name, bytes, at }) => (
              <tr key={plain(name)}>
                <th scope="row" className="mono">
                  <Text of={name} />
                </th>
                <td className="number">{byteSize(bytes)}</td>
                <td>
                  <Moment at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </WideTable>
  );
}

/** What is blocked, in the formats that resolvers, mail servers and sensors read. */
import '../../styles/alerts.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import {
  type Blocklist,
  type Blocklists as ListsData,
  useBlocklists,
  useRenewLinks,
} from '../../data/blocklists.ts';
import { foreign, plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { CopyLine } from '../../parts/forms/copy-line.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { blocklistWords as words } from '../../words/blocklists.ts';
import { domains } from '../../words/language.ts';
import { timeWords } from '../../words/parts.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { AllowList } from './allow-list.tsx';
import { blockedSelection, Selections } from './selections.tsx';

export function Blocklists() {
  useTitle(words.title);
  const { list } = useSearch({ from: '/app/blocklists' });
  const chosen = list ?? blockedSelection;
  const navigate = useNavigate();
  const lists = useBlocklists(list);
  const missing = useMissing('manage');
  const [asking, setAsking] = useState(false);
  return (
    <div className="page-body lists-page">
      <header className="page-head">
        <h1>{words.title}</h1>
        <div className="grow" />
        <button
          type="button"
          disabled={missing !== undefined}
          title={missing}
          onClick={() => setAsking(true)}
        >
          <RefreshCw size={15} aria-hidden /> {words.replace}
        </button>
      </header>
      {lists.isPending && <Skeletons count={8} label={words.loading} />}
      {lists.isError && (
        <Failure error={lists.error} what={words.theLists} retry={() => void lists.refetch()} />
      )}
      {lists.data && (
        <>
          <Selections
            selections={lists.data.selections}
            chosen={chosen}
            choose={(name) =>
              void navigate({ to: '/blocklists', search: name === blockedSelection ? {} : { list: name } })
            }
          />
          <AllowList />
          <p>
            {words.blocked(
              <Text of={lists.data.selection} />,
              plain(lists.data.selection) === blockedSelection ? (
                <Link to="/triage" search={{ s: 'blocked' }}>
                  {domains(lists.data.domains)}
                </Link>
              ) : (
                domains(lists.data.domains)
              ),
              lists.data.serial,
            )}
          </p>
          {lists.data.selections
            .filter(({ name, transfers }) => plain(name) === chosen && transfers.length > 0)
            .map(({ name, transfers }) => (
              <section key={plain(name)} className="panel list-panel">
                <h2>{words.transfers}</h2>
                <Fetches fetches={transfers} label={words.transfers} />
              </section>
            ))}
          {lists.data.blocklists.map((one) => (
            <ListPanel key={plain(one.format)} list={one} />
          ))}
          <MispPanel misp={lists.data.misp} />
        </>
      )}
      {asking && <RenewDialog close={() => setAsking(false)} />}
    </div>
  );
}

function ListPanel({ list }: { list: Blocklist }) {
  const { format, description, file_name, url, bytes, preview, more_lines, fetches } = list;
  return (
    <section className="panel list-panel">
      <h2>
        <Text of={foreign(words.formats[plain(format)] ?? plain(format))} />{' '}
        <small className="pale">{sizeOf(bytes)}</small>
      </h2>
      <p className="pale">
        <Text of={description} />
      </p>
      {url === null ? (
        <p className="pale">{words.linkHidden}</p>
      ) : (
        <CopyLine value={url} label={words.linkOf(spelledOut(file_name))} said={words.linkCopied} />
      )}
      <details className="list-preview">
        <summary>{words.preview}</summary>
        <pre className="mono">
          {preview.map((line, index) => (
            <span key={index} className="line">
              <Text of={line} />
            </span>
          ))}
          {more_lines && <span className="line">…</span>}
          {preview.length === 0 && <span className="line">{words.empty}</span>}
        </pre>
      </details>
      {fetches.length === 0 ? (
        <p className="pale">{words.neverFetched}</p>
      ) : (
        <Fetches fetches={fetches} label={words.fetches} />
      )}
    </section>
  );
}

/** The same names as a feed: a directory of files, to which the link leads. */
function MispPanel({ misp }: { misp: ListsData['misp'] }) {
  return (
    <section className="panel list-panel">
      <h2>{words.misp}</h2>
      <p className="pale">{words.mispHint}</p>
      <CopyLine value={misp.url} label={words.linkOf(words.misp)} said={words.linkCopied} />
      {misp.fetches.length === 0 ? (
        <p className="pale">{words.neverFetched}</p>
      ) : (
        <Fetches fetches={misp.fetches} label={words.fetches} />
      )}
    </section>
  );
}

function Fetches({ fetches, label }: { fetches: Blocklist['fetches']; label: string }) {
  return (
    <WideTable label={label}>
      <table className="data-table">
        <TableHead columns={[words.fetched, words.from, words.client, words.has]} />
        <tbody>
          {fetches.map(({ at, address, agent, current }, index) => (
            <tr key={index}>
              <td>
                <Ago at={at} suffix={timeWords.ago} />
              </td>
              <td className="mono">
                <Text of={address} />
              </td>
              <td>
                <Text of={agent} />
              </td>
              <td>{current ? words.current : words.older}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function RenewDialog({ close }: { close: () => void }) {
  const renew = useRenewLinks();
  const run = () =>
    renew.mutate(undefined, {
      onSuccess: () => {
        showToast({ text: words.replaced });
        close();
      },
      onError: showFailure,
    });
  return (
    <Confirm
      label={words.replace}
      question={words.replaceQuestion}
      action={words.replaceThem}
      run={run}
      pending={renew.isPending}
      close={close}
    >
      <p>{words.replaceHint}</p>
    </Confirm>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return words.bytes(bytes);
  return bytes < 1 << 20
    ? words.kibibytes((bytes / 1024).toFixed(1))
    : words.mebibytes((bytes / 2 ** 20).toFixed(1));
}

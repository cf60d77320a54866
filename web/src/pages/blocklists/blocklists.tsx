/** What is blocked, in the formats that resolvers, mail servers and sensors read. */
import '../../styles/alerts.css';
import { Link } from '@tanstack/react-router';
import { Copy, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { type Blocklist, useBlocklists, useRenewLinks } from '../../data/blocklists.ts';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { copyText } from '../triage/copy-name.ts';
import { showFailure } from '../triage/decision-messages.tsx';

export function Blocklists() {
  useTitle('Blocklists');
  const lists = useBlocklists();
  const missing = useMissing('manage');
  const [asking, setAsking] = useState(false);
  return (
    <div className="page-body lists-page">
      <header className="page-head">
        <h1>Blocklists</h1>
        <div className="grow" />
        <button
          type="button"
          disabled={missing !== undefined}
          title={missing}
          onClick={() => setAsking(true)}
        >
          <RefreshCw size={15} aria-hidden /> Replace all links
        </button>
      </header>
      {lists.isPending && <Skeletons count={8} label="blocklists" />}
      {lists.isError && (
        <Failure error={lists.error} what="The blocklists" retry={() => void lists.refetch()} />
      )}
      {lists.data && (
        <>
          <p>
            <Link to="/triage" search={{ s: 'blocked' }}>
              {lists.data.domains.toLocaleString('en')} {lists.data.domains === 1 ? 'domain' : 'domains'}
            </Link>{' '}
            blocked, version {lists.data.serial}. Every list has all of them; a link needs no key, so it is as
            secret as one.
          </p>
          {lists.data.blocklists.map((list) => (
            <ListPanel key={plain(list.format)} list={list} />
          ))}
        </>
      )}
      {asking && <RenewDialog close={() => setAsking(false)} />}
    </div>
  );
}

const titles: Readonly<Record<string, Foreign>> = {
  rpz: foreign('Response policy zone'),
  hosts: foreign('Hosts file'),
  plain: foreign('Plain list'),
  suricata: foreign('Suricata'),
  zeek: foreign('Zeek'),
};

function ListPanel({ list }: { list: Blocklist }) {
  const { format, description, file_name, url, bytes, preview, more_lines, fetches } = list;
  return (
    <section className="panel list-panel">
      <h2>
        <Text of={titles[plain(format)] ?? format} /> <small className="pale">{sizeOf(bytes)}</small>
      </h2>
      <p className="pale">
        <Text of={description} />
      </p>
      {url === null ? (
        <p className="pale">The link is shown to those who may manage monitors.</p>
      ) : (
        <div className="link-line">
          <input
            readOnly
            value={plain(url)}
            aria-label={`Link of ${spelledOut(file_name)}`}
            onFocus={({ target }) => target.select()}
          />
          <button type="button" onClick={() => void copyText(plain(url), 'Link copied')}>
            <Copy size={15} aria-hidden /> Copy
          </button>
        </div>
      )}
      <details className="list-preview">
        <summary>Preview</summary>
        <pre className="mono">
          {preview.map((line, index) => (
            <span key={index} className="line">
              <Text of={line} />
            </span>
          ))}
          {more_lines && <span className="line">…</span>}
          {preview.length === 0 && <span className="line">Nothing is blocked: the file is empty.</span>}
        </pre>
      </details>
      {fetches.length === 0 ? (
        <p className="pale">Nobody has fetched it yet.</p>
      ) : (
        <WideTable label="Fetches">
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">Fetched</th>
                <th scope="col">From</th>
                <th scope="col">Client</th>
                <th scope="col">Has</th>
              </tr>
            </thead>
            <tbody>
              {fetches.map(({ at, address, agent, current }, index) => (
                <tr key={index}>
                  <td>
                    <Ago at={at} suffix=" ago" />
                  </td>
                  <td className="mono">
                    <Text of={address} />
                  </td>
                  <td>
                    <Text of={agent} />
                  </td>
                  <td>{current ? 'this version' : 'an older version'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </section>
  );
}

function RenewDialog({ close }: { close: () => void }) {
  const renew = useRenewLinks();
  return (
    <Dialog label="Replace all links" close={close}>
      <h2>Replace all links?</h2>
      <p>The present ones stop working at once: every resolver and sensor needs its new link.</p>
      <div className="buttons">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className="danger"
          disabled={renew.isPending}
          onClick={() =>
            renew.mutate(undefined, {
              onSuccess: () => {
                showToast({ text: 'All links are new' });
                close();
              },
              onError: showFailure,
            })
          }
        >
          Replace them
        </button>
      </div>
    </Dialog>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

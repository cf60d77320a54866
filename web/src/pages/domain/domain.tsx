/** The page of one domain: what it is, what it was, what it shares with others. */
import '../../styles/domain.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Copy, FileCheck2, RefreshCw, ShieldAlert } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type DomainOverview, useOverview, useRefresh } from '../../data/domain.ts';
import { foreign, plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { defang } from '../../names/defang.ts';
import { Name } from '../../parts/name.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Risk } from '../../parts/risk.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { domainWords as words } from '../../words/domain.ts';
import { copyWords } from '../../words/triage.ts';
import { DomainTags } from '../tags/domain-tags.tsx';
import { copyText } from '../triage/copy-name.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { type DomainTab, tabOf, tabs } from './domain-search.ts';
import { HistoryTab } from './history-tab.tsx';
import { Overview } from './overview.tsx';
import { PassiveDnsTab } from './passive-dns-tab.tsx';
import { PicturesTab } from './pictures-tab.tsx';
import { RecordTab } from './record-tab.tsx';
import { RiskTab } from './risk-tab.tsx';

const PackDialog = lazy(async () => ({ default: (await import('../evidence/pack-dialog.tsx')).PackDialog }));

const tabNames: Readonly<Record<DomainTab, string>> = words.tabs;

export function DomainPage() {
  const { name } = useParams({ from: '/app/domain/$name' });
  const search = useSearch({ from: '/app/domain/$name' });
  const navigate = useNavigate();
  const tab = tabOf(search);
  const overview = useOverview(name);
  useTitle(words.titleOf(spelledOut(foreign(defang(name))), tabNames[tab]));
  useKeys(
    tabs.map((one, index) => ({
      keys: String(index + 1),
      label: words.tabKey(tabNames[one]),
      group: 'Domain' as const,
      run: () =>
        void navigate({
          to: '/domain/$name',
          params: { name },
          search: one === 'overview' ? {} : { tab: one },
        }),
    })),
  );
  const shown: Readonly<Record<DomainTab, () => ReactNode>> = {
    overview: () =>
      overview.data ? (
        <Overview domain={overview.data} name={name} />
      ) : (
        <Skeletons count={8} label={words.loading} />
      ),
    record: () => <RecordTab name={name} asOf={search.as_of} />,
    history: () => <HistoryTab name={name} field={search.field} />,
    pictures: () => <PicturesTab name={name} capture={search.capture} other={search.with} />,
    dns: () => <PassiveDnsTab name={name} />,
    risk: () =>
      overview.data ? (
        <RiskTab risk={overview.data.risk} />
      ) : (
        <Skeletons count={8} label={words.loadingReasons} />
      ),
  };
  return (
    <div className="page-body domain-page">
      <Head name={name} domain={overview.data} />
      <nav className="tabs" aria-label={words.parts}>
        {tabs.map((one) => (
          <Link
            key={one}
            to="/domain/$name"
            params={{ name }}
            search={one === 'overview' ? {} : { tab: one }}
            aria-current={one === tab ? 'page' : undefined}
            activeOptions={{ exact: true }}
          >
            {tabNames[one]}
          </Link>
        ))}
      </nav>
      {overview.isError ? (
        <Failure error={overview.error} what={words.theDomain} retry={() => void overview.refetch()} />
      ) : (
        shown[tab]()
      )}
    </div>
  );
}

function Head({ name, domain }: { name: string; domain: DomainOverview | undefined }) {
  const refresh = useRefresh(name);
  const [isPacking, setPacking] = useState(false);
  const missing = useMissing('triage');
  const punycode = domain ? plain(domain.punycode) : name;
  const copy = (isDefanged: boolean) =>
    void copyText(isDefanged ? defang(punycode) : punycode, isDefanged ? copyWords.defanged : copyWords.live);
  useKeys([
    { keys: 'y', label: words.copyDefanged, group: 'Domain', run: () => copy(true) },
    { keys: 'Shift+Y', label: words.copyLive, group: 'Domain', run: () => copy(false) },
  ]);
  const [match] = domain?.listed?.match ?? [];
  return (
    <header className="domain-head">
      <h1>
        <Name host={match?.host ?? domain?.domain ?? foreign(name)} match={match} big />
      </h1>
      {domain && <Risk score={domain.risk.score} status={domain.risk.status} inWords />}
      {domain?.own && <span className="chip">{words.own}</span>}
      {domain && <DomainTags tags={domain.tags} name={punycode} />}
      <div className="grow" />
      <button type="button" onClick={() => copy(true)}>
        <Copy size={15} aria-hidden /> {words.copyDefanged}
      </button>
      <button
        type="button"
        disabled={missing !== undefined || refresh.isPending}
        title={missing ?? words.examineHint}
        onClick={() =>
          refresh.mutate(undefined, {
            onSuccess: ({ queued }) => showToast({ text: queued ? words.examining : words.collectsNothing }),
            onError: showFailure,
          })
        }
      >
        <RefreshCw size={15} aria-hidden /> {domain?.summary === null ? words.examineNow : words.examineAgain}
      </button>
      <button
        type="button"
        disabled={missing !== undefined}
        title={missing ?? words.evidenceHint}
        onClick={() => setPacking(true)}
      >
        <FileCheck2 size={15} aria-hidden /> {words.evidence}
      </button>
      <Link to="/visit" search={{ name: punycode }} className="button">
        <ShieldAlert size={15} aria-hidden /> {words.visit}
      </Link>
      {isPacking && (
        <Suspense>
          <PackDialog domains={[punycode]} close={() => setPacking(false)} />
        </Suspense>
      )}
    </header>
  );
}

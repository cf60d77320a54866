/** The pages of values that domains share. One family: they differ by what is known of the value itself. */
import '../../styles/value.css';
import { Link, useParams } from '@tanstack/react-router';
import { Compass, Copy } from 'lucide-react';
import { type ReactNode } from 'react';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { useValuePage, type ValueKind, type ValuePage } from '../../data/search.ts';
import { spelledOut } from '../../data/unseen.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { defang } from '../../names/defang.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Risk } from '../../parts/risk.tsx';
import { SearchLink } from '../../parts/search-link.tsx';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { ValueMenu } from '../../parts/value-menu.tsx';
import type { SearchQuery } from '../../query/search-query.ts';
import { valueWords as words } from '../../words/values.ts';
import { copyText } from '../triage/copy-name.ts';
import { SharedDomains } from './shared-domains.tsx';
import { ValueFacets } from './value-facets.tsx';

export function AddressPage() {
  return <OneValue kind="ip" value={useParams({ from: '/app/ip/$ip' }).ip} />;
}

export function NameServerPage() {
  return <OneValue kind="name_server" value={useParams({ from: '/app/ns/$host' }).host} />;
}

export function EmailPage() {
  return <OneValue kind="email" value={useParams({ from: '/app/mail/$email' }).email} />;
}

export function CertificatePage() {
  return <OneValue kind="certificate" value={useParams({ from: '/app/cert/$sha1' }).sha1} />;
}

const fieldOf: Readonly<Record<ValueKind, string>> = {
  ip: 'ip',
  name_server: 'nameserver_host',
  email: 'email',
  certificate: 'ssl_hash',
};

function OneValue({ kind, value }: { kind: ValueKind; value: string }) {
  const page = useValuePage(kind, value);
  useTitle(`${spelledOut(foreign(defang(value)))}, ${words.kinds[kind]}`);
  return (
    <div className="page-body value-page">
      <Head kind={kind} value={page.data?.value ?? foreign(value)} page={page.data} />
      {page.isPending && <Skeletons count={12} label={words.thing} />}
      {page.isError && <Failure error={page.error} what={words.thing} retry={() => void page.refetch()} />}
      {page.data && <Body page={page.data} />}
    </div>
  );
}

interface HeadProps {
  readonly kind: ValueKind;
  readonly value: Foreign;
  readonly page: ValuePage | undefined;
}

function Head({ kind, value, page }: HeadProps) {
  const copy = () => void copyText(defang(plain(value)), words.copiedDefanged);
  useKeys([{ keys: 'y', label: words.copyDefanged, group: 'Domain', run: copy }]);
  const score = page?.average_risk ?? null;
  return (
    <header className="value-head">
      <div>
        <small>{words.kinds[kind]}</small>
        <h1 className="mono">
          <ValueMenu field={fieldOf[kind]} value={value}>
            <Text of={value} />
          </ValueMenu>
        </h1>
      </div>
      {page && score !== null && (
        <span title={words.averageRisk}>
          <Risk score={Math.round(score)} status={null} inWords />
        </span>
      )}
      {page?.guided && (
        <span className="chip">
          <Compass size={12} aria-hidden /> {words.guided}
        </span>
      )}
      <div className="grow" />
      <button type="button" onClick={copy}>
        <Copy size={15} aria-hidden /> {words.copyDefanged} <kbd>{words.copyKey}</kbd>
      </button>
    </header>
  );
}

function Body({ page }: { page: ValuePage }) {
  const query = page.query as unknown as SearchQuery;
  return (
    <div className="value-body">
      <section className="panel">
        <h2>{words.facts}</h2>
        <Facts page={page} />
      </section>
      <section className="panel">
        <h2>{words.roles}</h2>
        <Roles page={page} />
        {page.kind !== 'email' && page.kind !== 'certificate' && <PassiveDns page={page} />}
      </section>
      <section className="panel wide">
        <h2>{words.shared}</h2>
        <SharedDomains page={page} query={query} />
      </section>
      {page.facets.length > 0 && (
        <section className="panel wide">
          <h2>{words.facets}</h2>
          <ValueFacets facets={page.facets} query={query} />
        </section>
      )}
      {page.limits && (
        <p className="pale wide limits">
          {words.limits(page.limits.used, page.limits.limit, spelledOut(page.limits.window))}
        </p>
      )}
    </div>
  );
}

/** The column that a fact is a value of, where one can go on from it. */
const columnOfFact: Readonly<Partial<Record<ValuePage['facts'][number]['name'], string>>> = {
  isp: 'isp_name',
  asn: 'asn',
  country_code: 'ip_country_code',
  address: 'nameserver_ip',
  domain: 'nameserver_domain',
  common_name: 'ssl_common_name',
  subject: 'ssl_subject',
  organization: 'ssl_org',
  issuer_common_name: 'ssl_issuer_common_name',
  alt_name: 'ssl_alt_names',
};

function Facts({ page: { facts } }: { page: ValuePage }) {
  if (facts.length === 0) return <p className="pale">{words.noFacts}</p>;
  return (
    <dl className="value-facts">
      {facts.map(({ name, values, more }) => (
        <div key={name}>
          <dt>{words.factNames[name]}</dt>
          <dd>
            {values.map((value, index) => (
              <Fact key={index} field={columnOfFact[name]} value={value} />
            ))}
            {more > 0 && <span className="pale">{words.moreFacts(more)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Fact({ field, value }: { field: string | undefined; value: Foreign }): ReactNode {
  const text = <Text of={value} />;
  if (field === undefined) return <span className="line">{text}</span>;
  return (
    <span className="line">
      <ValueMenu field={field} value={value}>
        {text}
      </ValueMenu>
    </span>
  );
}

function Roles({ page: { roles, value } }: { page: ValuePage }) {
  if (roles.length === 0) return <p className="pale">{words.none}</p>;
  return (
    <table className="data-table">
      <thead>
        <tr>
          <th scope="col">{words.columns.role}</th>
          <th scope="col" className="number">
            {words.columns.domains}
          </th>
          <th scope="col">{words.columns.risk}</th>
        </tr>
      </thead>
      <tbody>
        {roles.map(({ parameter, domains, average_risk, guided }, index) => (
          <tr key={index}>
            <th scope="row">
              <Text of={foreign(words.roleNames[plain(parameter)] ?? plain(parameter))} />
            </th>
            <td className="number">
              {guided && <Compass size={12} aria-label={words.guided} />}{' '}
              <SearchLink query={{ parameters: { [plain(parameter)]: [plain(value)] } }}>
                {words.count(domains)}
              </SearchLink>
            </td>
            <td>
              <Risk score={average_risk === null ? null : Math.round(average_risk)} status={null} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PassiveDns({ page: { passive_dns: pdns, value } }: { page: ValuePage }) {
  return (
    <>
      <h2>{words.passiveDns}</h2>
      {pdns ? (
        <p>
          {words.records(pdns.records, pdns.more)}, {words.seen} {pdns.first.slice(0, 10)} {words.until}{' '}
          {pdns.last.slice(0, 10)}
        </p>
      ) : (
        <p className="pale">{words.noPassiveDns}</p>
      )}
      <Link to="/pdns" search={{ name: plain(value) }}>
        {words.openPassiveDns}
      </Link>
    </>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DomainOverview } from '../../data/domain.ts';
import { type Foreign, foreign } from '../../data/foreign.ts';
import { Picture } from '../../parts/picture.tsx';
import { Reasons } from '../../parts/reasons.tsx';
import { Empty } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago, Moment } from '../../parts/time.tsx';
import { ValueMenu } from '../../parts/value-menu.tsx';
import { requestWords, overviewWords as words } from '../../words/domain.ts';
import { sightingWords, timeWords } from '../../words/parts.ts';
import { Membership } from '../campaigns/membership.tsx';
import { Resolved } from '../triage/sightings.tsx';
import { Pivots } from './pivots.tsx';
import { Requests } from './requests.tsx';
import { shownReasons } from './risk-tab.tsx';

type Summary = NonNullable<DomainOverview['summary']>;

export function Overview({ domain, name }: { domain: DomainOverview; name: string }) {
  const { listed, summary, picture, risk } = domain;
  return (
    <div className="overview">
      <section className="panel picture-panel" aria-label={words.picture}>
        <Picture picture={picture} of={foreign(name)} width={840} height={525} />
        <p className="pale">
          {picture.at !== undefined && words.captured(<Ago at={picture.at} suffix={timeWords.ago} />)}{' '}
          <Link to="/domain/$name" params={{ name }} search={{ tab: 'pictures' }}>
            {words.allPictures}
          </Link>
        </p>
      </section>
      <section className="panel">
        <h2>{words.onLists}</h2>
        {listed ? <Listing listed={listed} /> : <p className="pale">{words.onNone}</p>}
        <Membership domain={name} />
        {listed && (
          <>
            <h2>{sightingWords.title}</h2>
            <Resolved sightings={listed.sightings} />
          </>
        )}
        <h2>{words.whyScore}</h2>
        <Reasons reasons={shownReasons(risk)} max={6} />
      </section>
      <section className="panel wide">
        <h2>{words.known}</h2>
        {summary ? (
          <Facts summary={summary} />
        ) : (
          <Empty title={words.noRecord}>
            <p>{words.noRecordHint}</p>
          </Empty>
        )}
      </section>
      <section className="panel wide">
        <h2>{words.shared}</h2>
        <Pivots name={name} />
      </section>
      <section className="panel wide">
        <h2>{requestWords.title}</h2>
        <Requests name={name} />
      </section>
    </div>
  );
}

function Listing({ listed }: { listed: NonNullable<DomainOverview['listed']> }) {
  const { id, state, discovered_date, changed_date, decided, monitors, escalations, match } = listed;
  const search =
    state === 'new' ? { at: id, card: true as const } : { s: state, at: id, card: true as const };
  return (
    <>
      <p>
        <Link to="/triage" search={search}>
          {words.states[state]}
        </Link>
        {words.found(<Ago at={discovered_date} suffix={timeWords.ago} />)}
        {changed_date !== null && words.changed(<Ago at={changed_date} suffix={timeWords.ago} />)}
        {decided && words.decided(<Text of={decided.by} />, <Ago at={decided.at} suffix={timeWords.ago} />)}
      </p>
      {escalations.map(({ type, by, at }, index) => (
        <p key={index}>
          {words.escalated(<Text of={type} />, <Text of={by} />, <Ago at={at} suffix={timeWords.ago} />)}
        </p>
      ))}
      <ul className="values">
        {match.map((one, index) => (
          <li key={index}>
            <span className="chip">{one.class}</span> <Text of={one.explanation} />
          </li>
        ))}
      </ul>
      <p className="pale">
        {words.monitors}{' '}
        {monitors.map(({ id: monitorId, term }, index) => (
          <span key={monitorId}>
            {index > 0 && ', '}
            <Text of={term} />
          </span>
        ))}
      </p>
    </>
  );
}

function Facts({ summary }: { summary: Summary }) {
  const texts = (values: readonly Foreign[], field?: string) =>
    values.length > 0 &&
    values.map((value, index) => (
      <span key={index} className="line mono">
        {field === undefined ? <Text of={value} /> : pivoting(field, value)}
      </span>
    ));
  const pivoting = (field: string, value: Foreign) => (
    <ValueMenu field={field} value={value}>
      <Text of={value} />
    </ValueMenu>
  );
  return (
    <dl className="facts">
      <Fact label={words.firstSeen}>{summary.first_seen !== null && <Moment at={summary.first_seen} />}</Fact>
      <Fact label={words.registrar}>
        {summary.registrar !== null && pivoting('registrar', summary.registrar)}
      </Fact>
      <Fact label={words.registered}>
        {summary.create_date !== null && <span>{summary.create_date.slice(0, 10)}</span>}
      </Fact>
      <Fact label={words.expires}>
        {summary.expiration_date !== null && <Text of={summary.expiration_date} />}
      </Fact>
      <Fact label={words.organization}>
        {summary.registrant_org !== null && pivoting('registrant_org', summary.registrant_org)}
      </Fact>
      <Fact label={words.status}>{texts(summary.registrar_status)}</Fact>
      <Fact label={words.addresses}>
        {summary.ip.length > 0 &&
          summary.ip.map(({ ip, country_code, isp }, index) => (
            <span key={index} className="line">
              <span className="mono">{pivoting('ip.address', ip)}</span>{' '}
              <b>
                <Text of={country_code} />
              </b>{' '}
              {pivoting('ip.isp', isp)}
            </span>
          ))}
      </Fact>
      <Fact label={words.nameServers}>{texts(summary.name_server, 'name_server.host')}</Fact>
      <Fact label={words.mailServers}>{texts(summary.mx, 'mx.host')}</Fact>
      <Fact label={words.title}>
        {summary.website_title !== null && pivoting('website_title', summary.website_title)}
      </Fact>
      <Fact label={words.webServer}>
        {(summary.server_type !== null || summary.website_response !== null) && (
          <>
            {summary.server_type !== null && pivoting('server_type', summary.server_type)}{' '}
            {summary.website_response !== null && <span>{words.answers(summary.website_response)}</span>}
          </>
        )}
      </Fact>
      <Fact label={words.redirectsTo}>
        {summary.redirect !== null && (
          <span className="mono">
            <Text of={summary.redirect} />
          </span>
        )}
      </Fact>
      <Fact label={words.certificates}>
        {summary.certificates.length > 0 &&
          summary.certificates.map(({ hash, common_name, issuer, not_after }, index) => (
            <span key={index} className="line">
              <ValueMenu field="ssl_info.hash" value={foreign(hash)}>
                <Text of={common_name} />
              </ValueMenu>
              {words.issued(<Text of={issuer} />, <Text of={not_after} />)}
            </span>
          ))}
      </Fact>
      <Fact label={words.popularity}>
        {summary.popularity_rank !== null && words.rank(summary.popularity_rank)}
      </Fact>
    </dl>
  );
}

/** A fact that is not known is not listed. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === false || children === null || children === undefined) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

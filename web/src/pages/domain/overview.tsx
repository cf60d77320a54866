import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DomainOverview } from '../../data/domain.ts';
import { type Foreign, foreign } from '../../data/foreign.ts';
import { Picture } from '../../parts/picture.tsx';
import { Reasons } from '../../parts/reasons.tsx';
import { Empty } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago, Moment } from '../../parts/time.tsx';
import { Pivots } from './pivots.tsx';
import { shownReasons } from './risk-tab.tsx';

type Summary = NonNullable<DomainOverview['summary']>;

export function Overview({ domain, name }: { domain: DomainOverview; name: string }) {
  const { listed, summary, picture, risk } = domain;
  return (
    <div className="overview">
      <section className="panel picture-panel" aria-label="Picture">
        <Picture picture={picture} of={foreign(name)} width={840} height={525} />
        <p className="pale">
          {picture.at !== undefined && (
            <>
              captured <Ago at={picture.at} suffix=" ago" />
            </>
          )}{' '}
          <Link to="/domain/$name" params={{ name }} search={{ tab: 'pictures' }}>
            All pictures
          </Link>
        </p>
      </section>
      <section className="panel">
        <h2>On your lists</h2>
        {listed ? (
          <Listing listed={listed} />
        ) : (
          <p className="pale">No monitor of your account has matched it.</p>
        )}
        <h2>Why this score</h2>
        <Reasons reasons={shownReasons(risk)} max={6} />
      </section>
      <section className="panel wide">
        <h2>What is known</h2>
        {summary ? (
          <Facts summary={summary} />
        ) : (
          <Empty title="There is no record yet">
            <p>The domain has not been examined. “Examine now” reads its DNS, registration and web page.</p>
          </Empty>
        )}
      </section>
      <section className="panel wide">
        <h2>Shared with others</h2>
        <Pivots name={name} />
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
          {state === 'new' ? 'New: to be decided' : state === 'watched' ? 'Watched' : 'Ignored'}
        </Link>
        , found <Ago at={discovered_date} suffix=" ago" />
        {changed_date !== null && (
          <>
            , changed <Ago at={changed_date} suffix=" ago" />
          </>
        )}
        {decided && (
          <>
            , decided by <Text of={decided.by} /> <Ago at={decided.at} suffix=" ago" />
          </>
        )}
      </p>
      {escalations.map(({ type, by, at }, index) => (
        <p key={index}>
          <Text of={type} /> by <Text of={by} /> <Ago at={at} suffix=" ago" />
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
        Monitors:{' '}
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
  const texts = (values: readonly Foreign[]) =>
    values.length > 0 &&
    values.map((value, index) => (
      <span key={index} className="line mono">
        <Text of={value} />
      </span>
    ));
  return (
    <dl className="facts">
      <Fact label="First seen">{summary.first_seen !== null && <Moment at={summary.first_seen} />}</Fact>
      <Fact label="Registrar">{summary.registrar !== null && <Text of={summary.registrar} />}</Fact>
      <Fact label="Registered">
        {summary.create_date !== null && <span>{summary.create_date.slice(0, 10)}</span>}
      </Fact>
      <Fact label="Expires">{summary.expiration_date !== null && <Text of={summary.expiration_date} />}</Fact>
      <Fact label="Organization">
        {summary.registrant_org !== null && <Text of={summary.registrant_org} />}
      </Fact>
      <Fact label="Status">{texts(summary.registrar_status)}</Fact>
      <Fact label="Addresses">
        {summary.ip.length > 0 &&
          summary.ip.map(({ ip, country_code, isp }, index) => (
            <span key={index} className="line">
              <span className="mono">
                <Text of={ip} />
              </span>{' '}
              <b>
                <Text of={country_code} />
              </b>{' '}
              <Text of={isp} />
            </span>
          ))}
      </Fact>
      <Fact label="Name servers">{texts(summary.name_server)}</Fact>
      <Fact label="Mail servers">{texts(summary.mx)}</Fact>
      <Fact label="Title">{summary.website_title !== null && <Text of={summary.website_title} />}</Fact>
      <Fact label="Web server">
        {(summary.server_type !== null || summary.website_response !== null) && (
          <>
            {summary.server_type !== null && <Text of={summary.server_type} />}{' '}
            {summary.website_response !== null && <span>answers {summary.website_response}</span>}
          </>
        )}
      </Fact>
      <Fact label="Redirects to">
        {summary.redirect !== null && (
          <span className="mono">
            <Text of={summary.redirect} />
          </span>
        )}
      </Fact>
      <Fact label="Certificates">
        {summary.certificates.length > 0 &&
          summary.certificates.map(({ common_name, issuer, not_after }, index) => (
            <span key={index} className="line">
              <Text of={common_name} /> by <Text of={issuer} />, until <Text of={not_after} />
            </span>
          ))}
      </Fact>
      <Fact label="Popularity">
        {summary.popularity_rank !== null && <>rank {summary.popularity_rank.toLocaleString('en')}</>}
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

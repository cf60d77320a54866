/** What the account may use, what it has used, and what it will have used if it goes on like this. */
import { type Usage, useUsage } from '../../../data/account/keys-and-usage.ts';
import { plain } from '../../../data/foreign.ts';
import { Failure, Skeletons } from '../../../parts/region.tsx';
import { Text } from '../../../parts/text.tsx';
import { Moment } from '../../../parts/time.tsx';
import { productName, quotaWords as words } from '../../../words/account.ts';
import { AccountPage } from '../account-page.tsx';
import { UseSeries } from './use-series.tsx';

export function Quota() {
  const usage = useUsage();
  return (
    <AccountPage title={words.title}>
      {usage.isPending && <Skeletons count={10} label={words.loading} />}
      {usage.isError && <Failure error={usage.error} what={words.what} retry={() => void usage.refetch()} />}
      {usage.data && (
        <>
          <Products usage={usage.data} />
          <PassiveDns usage={usage.data} />
          <UseSeries usage={usage.data} />
        </>
      )}
    </AccountPage>
  );
}

type ProductUse = Usage['products'][number];

const isUsed = ({ month, days }: ProductUse) => month > 0 || days.some((count) => count > 0);

function Products({ usage }: { usage: Usage }) {
  const used = usage.products.filter(isUsed).toSorted((one, other) => other.month - one.month);
  const unused = usage.products.filter((product) => !isUsed(product));
  const line = (use: ProductUse) => <ProductLine key={plain(use.product)} use={use} />;
  return (
    <section className="panel">
      <h2>{words.products}</h2>
      <ul className="quota-lines">{used.map(line)}</ul>
      {unused.length > 0 && (
        <details open={used.length === 0}>
          <summary>{words.unused(unused.length)}</summary>
          <ul className="quota-lines">{unused.map(line)}</ul>
        </details>
      )}
      <p className="pale">
        <small>{words.howProjected(usage.projected_from_days)}</small>
      </p>
    </section>
  );
}

function ProductLine({ use }: { use: ProductUse }) {
  const { product, limits, today, month, projection, expiration_date: expires } = use;
  const facts = [
    words.today(today),
    words.month(month),
    ...(expires === null ? [] : [words.ends(plain(expires))]),
  ];
  const name = productName(plain(product));
  return (
    <li>
      <div className="quota-name">
        <b>{name}</b>
        <small className="pale">{facts.join(' · ')}</small>
        {projection !== null && (
          <small className={projection.reached === null ? 'pale' : 'warning'}>
            {words.projected(projection.month)}
            {projection.reached !== null && (
              <>
                {'. '}
                {words.reached(<Moment at={plain(projection.reached)} />)}
              </>
            )}
          </small>
        )}
      </div>
      <div className="quota-limits">
        {limits.map((limit) => (
          <LimitBar key={plain(limit.window)} limit={limit} />
        ))}
      </div>
    </li>
  );
}

type Limit = ProductUse['limits'][number];

function LimitBar({ limit }: { limit: Limit }) {
  const { size, used, resets } = limit;
  const window = plain(limit.window);
  const share = size === 0 ? 1 : Math.min(1, used / size);
  const level = share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'some';
  return (
    <div className="limit">
      <span>{words.of(used, size, window)}</span>
      <span className="limit-bar" aria-hidden="true">
        <span className={level} style={{ width: `${share * 100}%` }} />
      </span>
      <small className="pale">
        {resets !== null
          ? words.resets(<Moment at={plain(resets)} />)
          : window === 'absolute' || window === 'quota'
            ? words.isBlock
            : words.slides}
      </small>
    </div>
  );
}

function PassiveDns({ usage: { passive_dns: keys } }: { usage: Usage }) {
  if (keys.length === 0) return null;
  return (
    <section className="panel">
      <h2>{words.pdns}</h2>
      <ul className="quota-lines">
        {keys.map(({ username, limit, expires }) => (
          <li key={plain(username)}>
            <div className="quota-name">
              <b>
                <Text of={username} />
              </b>
              {expires !== null && (
                <small className="pale">{words.pdnsExpires(<Moment at={plain(expires)} />)}</small>
              )}
            </div>
            <div className="quota-limits">
              {limit === null ? (
                <span className="pale">{words.pdnsUnlimited}</span>
              ) : (
                <LimitBar limit={limit} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

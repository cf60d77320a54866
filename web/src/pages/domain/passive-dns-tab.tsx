import { Link } from '@tanstack/react-router';
import { type PassiveDnsRow, usePassiveDns } from '../../data/domain.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { passiveDnsTabWords as words } from '../../words/domain.ts';
import { number } from '../../words/language.ts';

export function PassiveDnsTab({ name }: { name: string }) {
  const pdns = usePassiveDns(name);
  if (pdns.isError)
    return <Failure error={pdns.error} what={words.title} retry={() => void pdns.refetch()} />;
  if (!pdns.data) return <Skeletons count={10} label={words.loading} />;
  const { names, data } = pdns.data;
  return (
    <>
      <section className="panel">
        <h2>{words.its}</h2>
        <Rows rows={names.rows} more={names.more} none={words.none} />
        <Link to="/pdns" search={{ name: `*.${name}` }}>
          {words.all}
        </Link>
      </section>
      <section className="panel">
        <h2>{words.pointing}</h2>
        <Rows rows={data.rows} more={data.more} none={words.nonePointing} />
        <Link to="/pdns" search={{ name: `*.${name}`, side: 'data' }}>
          {words.all}
        </Link>
      </section>
    </>
  );
}

function Rows({ rows, more, none }: { rows: readonly PassiveDnsRow[]; more: boolean; none: string }) {
  if (rows.length === 0) return <p className="pale">{none}</p>;
  return (
    <>
      <WideTable label={words.records}>
        <table className="data-table pdns">
          <TableHead
            columns={[
              words.name,
              words.type,
              words.data,
              { label: words.count, number: true },
              words.firstSeen,
              words.lastSeen,
            ]}
          />
          <tbody>
            {rows.map(({ rrname, rrtype, rdata, count, first, last, origin }, index) => (
              <tr key={index}>
                <td className="mono">
                  <Text of={rrname} />
                </td>
                <td>
                  <Text of={rrtype} />
                </td>
                <td className="mono">
                  {rdata.map((one, at) => (
                    <span key={at} className="line">
                      <Text of={one} />
                    </span>
                  ))}
                </td>
                <td className="number">{number(count)}</td>
                <td>
                  <Moment at={first} />
                </td>
                <td title={origin === 'zone' ? words.fromZone : words.fromResolver}>
                  <Moment at={last} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {more && <p className="banner">{words.more}</p>}
    </>
  );
}

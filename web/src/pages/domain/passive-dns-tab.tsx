import { type PassiveDnsRow, usePassiveDns } from '../../data/domain.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';

export function PassiveDnsTab({ name }: { name: string }) {
  const pdns = usePassiveDns(name);
  if (pdns.isError)
    return <Failure error={pdns.error} what="Passive DNS" retry={() => void pdns.refetch()} />;
  if (!pdns.data) return <Skeletons count={10} label="passive DNS" />;
  const { names, data } = pdns.data;
  return (
    <>
      <section className="panel">
        <h2>Its names</h2>
        <Rows
          rows={names.rows}
          more={names.more}
          none="No sensor and no zone file has shown a record of it."
        />
      </section>
      <section className="panel">
        <h2>Names that point to it</h2>
        <Rows rows={data.rows} more={data.more} none="No other name is known to point to it." />
      </section>
    </>
  );
}

function Rows({ rows, more, none }: { rows: readonly PassiveDnsRow[]; more: boolean; none: string }) {
  if (rows.length === 0) return <p className="pale">{none}</p>;
  return (
    <>
      <WideTable label="Records">
        <table className="data-table pdns">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Data</th>
              <th scope="col" className="number">
                Count
              </th>
              <th scope="col">First seen</th>
              <th scope="col">Last seen</th>
            </tr>
          </thead>
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
                <td className="number">{count.toLocaleString('en')}</td>
                <td>
                  <Moment at={first} />
                </td>
                <td title={origin === 'zone' ? 'from a zone file' : 'from a resolver'}>
                  <Moment at={last} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {more && (
        <p className="banner">There are more records than are shown: use the passive DNS API to read all.</p>
      )}
    </>
  );
}

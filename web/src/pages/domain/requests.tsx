import { useState } from 'react';
import { useRequests } from '../../data/domain.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { requestWords as words } from '../../words/domain.ts';
import { PassiveSwitch } from './passive-switch.tsx';

const shownAtFirst = 8;

/** What our collectors asked of the domain: what its owner may have in a log. */
export function Requests({ name }: { name: string }) {
  const query = useRequests(name);
  const [isWhole, setWhole] = useState(false);
  if (query.isError)
    return <Failure error={query.error} what={words.loading} retry={() => void query.refetch()} />;
  if (!query.data) return <Skeletons count={3} label={words.loading} />;
  const { requests } = query.data;
  const shown = isWhole ? requests : requests.slice(0, shownAtFirst);
  return (
    <>
      <PassiveSwitch name={name} requests={query.data} />
      {requests.length === 0 ? (
        <p className="pale">{words.none}</p>
      ) : (
        <WideTable label={words.label}>
          <table className="data-table">
            <TableHead
              columns={[words.when, words.collector, words.whom, words.address, words.from, words.outcome]}
            />
            <tbody>
              {shown.map((one, index) => (
                <tr key={index}>
                  <td>
                    <Moment at={one.at} />
                  </td>
                  <td>
                    <Text of={one.collector} /> <Text className="pale" of={one.protocol} />
                  </td>
                  <td className="mono">
                    <Text of={one.host} />
                  </td>
                  <td className="mono">
                    {one.address !== null && <Text of={one.address} />} {one.port}
                  </td>
                  <td className="mono">{one.source !== null && <Text of={one.source} />}</td>
                  <td>
                    <Text of={one.outcome} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
      {requests.length > shownAtFirst && (
        <button type="button" className="ghost" onClick={() => setWhole(!isWhole)}>
          {isWhole ? words.showFewer : words.showAll(requests.length)}
        </button>
      )}
    </>
  );
}

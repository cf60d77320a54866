import { useState } from 'react';
import { useRequests } from '../../data/domain.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { requestWords as words } from '../../words/domain.ts';

const shownAtFirst = 8;

/** What our collectors asked of the domain: what its owner may have in a log. */
export function Requests({ name }: { name: string }) {
  const query = useRequests(name);
  const [isWhole, setWhole] = useState(false);
  if (query.isError)
    return <Failure error={query.error} what={words.loading} retry={() => void query.refetch()} />;
  if (!query.data) return <Skeletons count={3} label={words.loading} />;
  const { requests, passive_only } = query.data;
  const shown = isWhole ? requests : requests.slice(0, shownAtFirst);
  return (
    <>
      {passive_only && <p className="banner">{words.passiveOnly}</p>}
      {requests.length === 0 ? (
        <p className="pale">{words.none}</p>
      ) : (
        <table aria-label={words.label}>
          <thead>
            <tr>
              <th>{words.when}</th>
              <th>{words.collector}</th>
              <th>{words.whom}</th>
              <th>{words.address}</th>
              <th>{words.from}</th>
              <th>{words.outcome}</th>
            </tr>
          </thead>
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
      )}
      {requests.length > shownAtFirst && (
        <button type="button" className="ghost" onClick={() => setWhole(!isWhole)}>
          {isWhole ? words.showFewer : words.showAll(requests.length)}
        </button>
      )}
    </>
  );
}

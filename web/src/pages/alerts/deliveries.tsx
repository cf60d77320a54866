import { RotateCcw } from 'lucide-react';
import { type Delivery, useDeliveries, useReplay } from '../../data/alerts.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { deliveryWords as words } from '../../words/alerts.ts';
import { showFailure } from '../triage/decision-messages.tsx';

/** The last fifty, newest first, each with its outcome. */
export function Deliveries({ id }: { id: string }) {
  const deliveries = useDeliveries(id);
  if (deliveries.isError)
    return (
      <Failure error={deliveries.error} what={words.theDeliveries} retry={() => void deliveries.refetch()} />
    );
  if (!deliveries.data) return <Skeletons count={3} label={words.loading} />;
  const all = deliveries.data.deliveries;
  if (all.length === 0) return <p className="pale">{words.none}</p>;
  return (
    <WideTable label={words.title}>
      <table className="data-table">
        <TableHead
          columns={[
            words.when,
            words.what,
            words.outcome,
            { label: words.attempts, number: true },
            { unseen: words.again },
          ]}
        />
        <tbody>
          {all.map((delivery) => (
            <DeliveryRow key={delivery.n} id={id} delivery={delivery} />
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function DeliveryRow({ id, delivery }: { id: string; delivery: Delivery }) {
  const { n, kind, status, at, attempts, events, error, can_replay } = delivery;
  const missing = useMissing('manage');
  const replay = useReplay(id);
  return (
    <tr>
      <td>
        <Moment at={at} />
      </td>
      <td>{kind === 'test' ? words.test : words.events(events, kind === 'replay')}</td>
      <td>{error === null ? status : words.outcomeWith(status, <Text of={error} />)}</td>
      <td className="number">{attempts}</td>
      <td className="number">
        {can_replay && (
          <button
            type="button"
            className="ghost"
            disabled={missing !== undefined || replay.isPending}
            title={missing}
            onClick={() =>
              replay.mutate(n, {
                onSuccess: ({ delivery: again }) =>
                  showToast(
                    again.status === 'delivered'
                      ? { text: words.sentAgain }
                      : { bad: true, text: words.failedAgain },
                  ),
                onError: showFailure,
              })
            }
          >
            <RotateCcw size={14} aria-hidden /> {words.sendAgain}
          </button>
        )}
      </td>
    </tr>
  );
}

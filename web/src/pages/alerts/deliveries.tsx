import { RotateCcw } from 'lucide-react';
import { type Delivery, useDeliveries, useReplay } from '../../data/alerts.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { showFailure } from '../triage/decision-messages.tsx';

/** The last fifty, newest first, each with its outcome. */
export function Deliveries({ id }: { id: string }) {
  const deliveries = useDeliveries(id);
  if (deliveries.isError)
    return <Failure error={deliveries.error} what="The deliveries" retry={() => void deliveries.refetch()} />;
  if (!deliveries.data) return <Skeletons count={3} label="deliveries" />;
  const all = deliveries.data.deliveries;
  if (all.length === 0) return <p className="pale">Nothing has been delivered yet.</p>;
  return (
    <WideTable label="Deliveries">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Outcome</th>
            <th scope="col" className="number">
              Attempts
            </th>
            <th scope="col">
              <span className="sr">Again</span>
            </th>
          </tr>
        </thead>
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
      <td>
        {kind === 'test'
          ? 'test'
          : `${events} ${events === 1 ? 'event' : 'events'}${kind === 'replay' ? ', again' : ''}`}
      </td>
      <td>
        {status}
        {error !== null && (
          <>
            : <Text of={error} />
          </>
        )}
      </td>
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
                      ? { text: 'Delivered again' }
                      : { bad: true, text: 'It failed again' },
                  ),
                onError: showFailure,
              })
            }
          >
            <RotateCcw size={14} aria-hidden /> Send again
          </button>
        )}
      </td>
    </tr>
  );
}

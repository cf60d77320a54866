import { Pause, Play, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  type Subscription,
  useChangeSubscription,
  useTestDelivery,
  useUnsubscribe,
} from '../../data/alerts.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Text } from '../../parts/text.tsx';
import { showFailure } from '../triage/decision-messages.tsx';

/** Test, pause and resume, end. */
export function AlertActions({ subscription }: { subscription: Subscription }) {
  const { id, paused, waiting, target } = subscription;
  const missing = useMissing('manage');
  const test = useTestDelivery(id);
  const change = useChangeSubscription(id);
  const end = useUnsubscribe(id);
  const [asking, setAsking] = useState<'resume' | 'end'>();
  const disabled = missing !== undefined;
  const resume = (skip: boolean) => {
    setAsking(undefined);
    change.mutate({ paused: false, skip }, { onError: showFailure });
  };
  return (
    <>
      <button
        type="button"
        disabled={disabled || test.isPending}
        title={missing}
        onClick={() =>
          test.mutate(undefined, {
            onSuccess: ({ delivery: { status, error } }) =>
              showToast(
                status === 'delivered'
                  ? { text: 'The test was delivered' }
                  : { bad: true, text: <>The test failed: {error !== null && <Text of={error} />}</> },
              ),
            onError: showFailure,
          })
        }
      >
        <Send size={15} aria-hidden /> {test.isPending ? 'Sending …' : 'Send a test'}
      </button>
      {paused ? (
        <button
          type="button"
          disabled={disabled}
          title={missing}
          onClick={() => (waiting.events > 0 ? setAsking('resume') : resume(false))}
        >
          <Play size={15} aria-hidden /> Resume
        </button>
      ) : (
        <button
          type="button"
          disabled={disabled || change.isPending}
          title={missing}
          onClick={() => change.mutate({ paused: true }, { onError: showFailure })}
        >
          <Pause size={15} aria-hidden /> Pause
        </button>
      )}
      <button
        type="button"
        className="danger"
        disabled={disabled}
        title={missing}
        onClick={() => setAsking('end')}
      >
        <Trash2 size={15} aria-hidden /> End
      </button>
      {asking === 'resume' && (
        <Dialog label="Resume" close={() => setAsking(undefined)}>
          <h2>{`${waiting.events}${waiting.more ? ' or more' : ''} events have waited`}</h2>
          <div className="buttons">
            <button type="button" onClick={() => resume(true)}>
              Skip them
            </button>
            <button type="button" className="primary" onClick={() => resume(false)}>
              Deliver them
            </button>
          </div>
        </Dialog>
      )}
      {asking === 'end' && (
        <Dialog label="End the alert" close={() => setAsking(undefined)}>
          <h2>
            No longer notify <Text of={target} />?
          </h2>
          <div className="buttons">
            <button type="button" onClick={() => setAsking(undefined)}>
              Cancel
            </button>
            <button
              type="button"
              className="danger"
              disabled={end.isPending}
              onClick={() => end.mutate(undefined, { onError: showFailure })}
            >
              End it
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

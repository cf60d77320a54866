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
import { Confirm } from '../../parts/forms/confirm.tsx';
import { Text } from '../../parts/text.tsx';
import { alertWords as words } from '../../words/alerts.ts';
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
                  ? { text: words.tested }
                  : { bad: true, text: words.testFailed(error !== null && <Text of={error} />) },
              ),
            onError: showFailure,
          })
        }
      >
        <Send size={15} aria-hidden /> {test.isPending ? words.testing : words.test}
      </button>
      {paused ? (
        <button
          type="button"
          disabled={disabled}
          title={missing}
          onClick={() => (waiting.events > 0 ? setAsking('resume') : resume(false))}
        >
          <Play size={15} aria-hidden /> {words.resume}
        </button>
      ) : (
        <button
          type="button"
          disabled={disabled || change.isPending}
          title={missing}
          onClick={() => change.mutate({ paused: true }, { onError: showFailure })}
        >
          <Pause size={15} aria-hidden /> {words.pause}
        </button>
      )}
      <button
        type="button"
        className="danger"
        disabled={disabled}
        title={missing}
        onClick={() => setAsking('end')}
      >
        <Trash2 size={15} aria-hidden /> {words.end}
      </button>
      {asking === 'resume' && (
        <Dialog label={words.resume} close={() => setAsking(undefined)}>
          <h2>{words.haveWaited(waiting.events, waiting.more)}</h2>
          <div className="buttons">
            <button type="button" onClick={() => resume(true)}>
              {words.skip}
            </button>
            <button type="button" className="primary" onClick={() => resume(false)}>
              {words.deliver}
            </button>
          </div>
        </Dialog>
      )}
      {asking === 'end' && (
        <Confirm
          label={words.endTitle}
          question={words.endQuestion(<Text of={target} />)}
          action={words.endIt}
          run={() => end.mutate(undefined, { onError: showFailure })}
          pending={end.isPending}
          close={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

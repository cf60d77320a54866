/** Who is notified of what: e-mail digests, webhooks and syslog, with what was delivered. */
import '../../styles/alerts.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { BellPlus, Mail, Server, Webhook } from 'lucide-react';
import { type Subscription, useSubscriptions } from '../../data/alerts.ts';
import { useMissing } from '../../data/me.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { alertWords as words } from '../../words/alerts.ts';
import { timeWords } from '../../words/parts.ts';
import { AlertActions } from './alert-actions.tsx';
import { Deliveries } from './deliveries.tsx';
import { NewAlert } from './new-alert.tsx';

export function Alerts() {
  useTitle(words.title);
  const { open, make } = useSearch({ from: '/app/alerts' });
  const navigate = useNavigate();
  const missing = useMissing('manage');
  const subscriptions = useSubscriptions(missing === undefined);
  const all = subscriptions.data?.subscriptions ?? [];
  const show = (search: { open?: string; make?: true }) => void navigate({ to: '/alerts', search });
  const newButton = (
    <button
      type="button"
      className="primary"
      disabled={missing !== undefined}
      title={missing}
      onClick={() => show({ make: true })}
    >
      <BellPlus size={15} aria-hidden /> {words.newOne}
    </button>
  );
  return (
    <div className="page-body lists-page">
      <header className="page-head">
        <h1>
          {words.title} {subscriptions.data && <span className="count">{all.length}</span>}
        </h1>
        <div className="grow" />
        {newButton}
      </header>
      {missing !== undefined && (
        <Empty title={words.forManagers}>
          <p>{missing}</p>
        </Empty>
      )}
      {subscriptions.isLoading && <Skeletons count={4} label={words.loading} />}
      {subscriptions.isError && (
        <Failure
          error={subscriptions.error}
          what={words.theAlerts}
          retry={() => void subscriptions.refetch()}
        />
      )}
      {subscriptions.data && all.length === 0 && (
        <Empty title={words.none}>
          <p>{words.noneHint}</p>
          {newButton}
        </Empty>
      )}
      {all.map((subscription) => (
        <AlertPanel
          key={subscription.id}
          subscription={subscription}
          isOpen={open === subscription.id}
          toggle={() => show(open === subscription.id ? {} : { open: subscription.id })}
        />
      ))}
      {subscriptions.data && all.length > 0 && (
        <p className="pale">{words.keptFor(subscriptions.data.event_days)}</p>
      )}
      {make && subscriptions.data && <NewAlert mail={subscriptions.data.mail} close={() => show({})} />}
    </div>
  );
}

const icons = { email: Mail, webhook: Webhook, syslog: Server } as const;

interface AlertPanelProps {
  readonly subscription: Subscription;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

function AlertPanel({ subscription, isOpen, toggle }: AlertPanelProps) {
  const {
    id,
    by,
    target,
    format,
    events,
    every,
    schedule,
    state,
    waiting,
    error,
    last_delivered_at,
    next_at,
  } = subscription;
  const Icon = icons[by];
  return (
    <section className="panel alert-panel">
      <div className="alert-head">
        <Icon size={18} aria-label={words.by[by]} />
        <h2 className="mono">
          <Text of={target} />
        </h2>
        <span className={`chip state-${state}`}>{words.states[state]}</span>
      </div>
      <p className="pale">
        {words.every[every]}
        {by !== 'email' && format !== 'nameglass' && words.withFormat(words.formats[format])}
        {schedule && words.at(schedule.hour, <Text of={schedule.zone} />)}: {events.join(', ')}
        {last_delivered_at !== null &&
          words.lastDelivered(<Ago at={last_delivered_at as unknown as string} suffix={timeWords.ago} />)}
        {waiting.events > 0 && words.waiting(waiting.events, waiting.more)}
        {next_at !== null && state === 'waiting' && words.nextSoon}
      </p>
      {error !== null && (
        <p className="field-error">
          <Text of={error} />
        </p>
      )}
      <div className="buttons start">
        <AlertActions subscription={subscription} />
        <button type="button" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? words.hideDeliveries : words.deliveries}
        </button>
      </div>
      {isOpen && <Deliveries id={id} />}
    </section>
  );
}

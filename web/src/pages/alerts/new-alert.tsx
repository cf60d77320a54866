import { Copy } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type SubscriptionBody, useSubscribe } from '../../data/alerts.ts';
import { plain } from '../../data/foreign.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { copyText } from '../triage/copy-name.ts';

const kinds = [
  ['discovered', 'a lookalike was found'],
  ['changed', 'a watched domain changed'],
  ['escalated', 'a domain was blocked or submitted'],
  ['risk-full', 'the full risk score is there'],
] as const;
type Kind = (typeof kinds)[number][0];

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export function NewAlert({ mail, close }: { mail: boolean; close: () => void }) {
  const subscribe = useSubscribe();
  const [by, setBy] = useState<'email' | 'webhook'>(mail ? 'email' : 'webhook');
  const [target, setTarget] = useState('');
  const [events, setEvents] = useState<readonly Kind[]>(['discovered', 'changed']);
  const [every, setEvery] = useState<'hour' | 'day'>('day');
  const [hour, setHour] = useState(8);
  const [days, setDays] = useState<readonly number[]>([1, 2, 3, 4, 5, 6, 7]);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secret = subscribe.data?.secret;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body: SubscriptionBody =
      by === 'webhook'
        ? { webhook: target.trim(), events: [...events] }
        : {
            email: target.trim(),
            events: [...events],
            every,
            ...(every === 'day' ? { schedule: { hour, zone, weekdays: [...days] } } : {}),
          };
    subscribe.mutate(body, { onSuccess: (made) => made.secret === null && close() });
  };
  if (secret !== null && secret !== undefined)
    return (
      <Dialog label="Secret of the webhook" close={close} stays>
        <h2>The secret of the webhook</h2>
        <p>Each call is signed with it. It is shown this once: put it where the receiver finds it.</p>
        <div className="link-line">
          <input
            readOnly
            value={plain(secret)}
            aria-label="Secret"
            onFocus={({ target: field }) => field.select()}
          />
          <button type="button" onClick={() => void copyText(plain(secret), 'Secret copied')}>
            <Copy size={15} aria-hidden /> Copy
          </button>
        </div>
        <div className="buttons">
          <button type="button" className="primary" onClick={close}>
            I have it
          </button>
        </div>
      </Dialog>
    );
  const toggle = <Value,>(values: readonly Value[], value: Value) =>
    values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  return (
    <Dialog label="New alert" close={close}>
      <h2>New alert</h2>
      <form onSubmit={submit}>
        <fieldset className="choices">
          <legend>By</legend>
          <label className="choice">
            <input
              type="radio"
              name="by"
              checked={by === 'email'}
              disabled={!mail}
              onChange={() => setBy('email')}
            />
            e-mail{!mail && ' (this server has no mail.host)'}
          </label>
          <label className="choice">
            <input type="radio" name="by" checked={by === 'webhook'} onChange={() => setBy('webhook')} />{' '}
            webhook
          </label>
        </fieldset>
        <label className="field">
          {by === 'email' ? 'Address' : 'URL'}
          <input
            required
            data-first
            type={by === 'email' ? 'email' : 'url'}
            value={target}
            placeholder={by === 'email' ? 'analysts@example.com' : 'https://example.com/hook'}
            spellCheck={false}
            onChange={({ target: field }) => setTarget(field.value)}
          />
        </label>
        <fieldset className="choices">
          <legend>When</legend>
          {kinds.map(([kind, words]) => (
            <label key={kind} className="choice">
              <input
                type="checkbox"
                checked={events.includes(kind)}
                onChange={() => setEvents(toggle(events, kind))}
              />
              {words}
            </label>
          ))}
        </fieldset>
        {by === 'email' && (
          <div className="schedule">
            <label className="field">
              How often
              <select
                value={every}
                onChange={({ target: field }) => setEvery(field.value === 'hour' ? 'hour' : 'day')}
              >
                <option value="day">once a day</option>
                <option value="hour">every hour</option>
              </select>
            </label>
            {every === 'day' && (
              <label className="field">
                {`At, ${zone}`}
                <select value={hour} onChange={({ target: field }) => setHour(Number(field.value))}>
                  {Array.from({ length: 24 }, (_, at) => (
                    <option key={at} value={at}>
                      {`${at < 10 ? '0' : ''}${at}:00`}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </div>
        )}
        {by === 'email' && every === 'day' && (
          <fieldset className="choices days">
            <legend>On</legend>
            {weekdays.map((name, index) => (
              <label key={name} className="choice">
                <input
                  type="checkbox"
                  checked={days.includes(index + 1)}
                  onChange={() => setDays(toggle(days, index + 1).toSorted((a, b) => a - b))}
                />
                {name}
              </label>
            ))}
          </fieldset>
        )}
        <FieldError error={subscribe.error} />
        <div className="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            className="primary"
            disabled={subscribe.isPending || events.length === 0 || (every === 'day' && days.length === 0)}
          >
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}

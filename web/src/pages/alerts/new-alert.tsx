import { type FormEvent, useState } from 'react';
import { type SubscriptionBody, useSubscribe } from '../../data/alerts.ts';

import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { CopyLine } from '../../parts/forms/copy-line.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { newAlertWords as words } from '../../words/alerts.ts';

type Kind = keyof typeof words.kinds;
const kinds = Object.keys(words.kinds) as readonly Kind[];

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
      <Dialog label={words.secretTitle} close={close} stays>
        <h2>{words.secretTitle}</h2>
        <p>{words.secretHint}</p>
        <CopyLine value={secret} label={words.secret} said={words.secretCopied} />
        <div className="buttons">
          <button type="button" className="primary" onClick={close}>
            {words.haveIt}
          </button>
        </div>
      </Dialog>
    );
  const toggle = <Value,>(values: readonly Value[], value: Value) =>
    values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  return (
    <Dialog label={words.title} close={close}>
      <h2>{words.title}</h2>
      <form onSubmit={submit}>
        <fieldset className="choices">
          <legend>{words.by}</legend>
          <label className="choice">
            <input
              type="radio"
              name="by"
              checked={by === 'email'}
              disabled={!mail}
              onChange={() => setBy('email')}
            />
            {mail ? words.email : words.noMail}
          </label>
          <label className="choice">
            <input type="radio" name="by" checked={by === 'webhook'} onChange={() => setBy('webhook')} />{' '}
            {words.webhook}
          </label>
        </fieldset>
        <label className="field">
          {by === 'email' ? words.address : words.url}
          <input
            required
            data-first
            type={by === 'email' ? 'email' : 'url'}
            value={target}
            placeholder={by === 'email' ? words.addressHint : words.urlHint}
            spellCheck={false}
            onChange={({ target: field }) => setTarget(field.value)}
          />
        </label>
        <fieldset className="choices">
          <legend>{words.when}</legend>
          {kinds.map((kind) => (
            <label key={kind} className="choice">
              <input
                type="checkbox"
                checked={events.includes(kind)}
                onChange={() => setEvents(toggle(events, kind))}
              />
              {words.kinds[kind]}
            </label>
          ))}
        </fieldset>
        {by === 'email' && (
          <div className="schedule">
            <label className="field">
              {words.howOften}
              <select
                value={every}
                onChange={({ target: field }) => setEvery(field.value === 'hour' ? 'hour' : 'day')}
              >
                <option value="day">{words.often.day}</option>
                <option value="hour">{words.often.hour}</option>
              </select>
            </label>
            {every === 'day' && (
              <label className="field">
                {words.at(zone)}
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
            <legend>{words.on}</legend>
            {words.weekdays.map((name, index) => (
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
        <DialogButtons
          action={words.create}
          disabled={subscribe.isPending || events.length === 0 || (every === 'day' && days.length === 0)}
          close={close}
        />
      </form>
    </Dialog>
  );
}

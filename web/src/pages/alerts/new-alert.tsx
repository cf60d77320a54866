import { type FormEvent, useState } from 'react';
import { type SubscriptionBody, useSubscribe } from '../../data/alerts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { CopyLine } from '../../parts/forms/copy-line.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { newAlertWords as words } from '../../words/alerts.ts';
import { emptyReceiver, firstFormat, type ReceiverDraft, ReceiverFields } from './receiver-fields.tsx';

type Kind = keyof typeof words.kinds;
const kinds = Object.keys(words.kinds) as readonly Kind[];

type Means = 'email' | 'webhook' | 'syslog';

export function NewAlert({ mail, close }: { mail: boolean; close: () => void }) {
  const subscribe = useSubscribe();
  const [by, setBy] = useState<Means>(mail ? 'email' : 'webhook');
  const [target, setTarget] = useState('');
  const [receiver, setReceiver] = useState(emptyReceiver);
  const [events, setEvents] = useState<readonly Kind[]>(['discovered', 'changed']);
  const [every, setEvery] = useState<'hour' | 'day'>('day');
  const [hour, setHour] = useState(8);
  const [days, setDays] = useState<readonly number[]>([1, 2, 3, 4, 5, 6, 7]);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secret = subscribe.data?.secret;
  const choose = (means: Means) => {
    setBy(means);
    if (means !== 'email') setReceiver({ ...receiver, format: firstFormat(means) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body: SubscriptionBody =
      by !== 'email'
        ? { [by]: target.trim(), events: [...events], ...optionsOf(by, target, receiver) }
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
              onChange={() => choose('email')}
            />
            {mail ? words.email : words.noMail}
          </label>
          {(['webhook', 'syslog'] as const).map((means) => (
            <label key={means} className="choice">
              <input type="radio" name="by" checked={by === means} onChange={() => choose(means)} />{' '}
              {words[means]}
            </label>
          ))}
        </fieldset>
        <label className="field">
          {words.targets[by]}
          <input
            required
            data-first
            type={by === 'email' ? 'email' : 'url'}
            value={target}
            placeholder={words.targetHints[by]}
            spellCheck={false}
            onChange={({ target: field }) => setTarget(field.value)}
          />
        </label>
        {by !== 'email' && <ReceiverFields by={by} target={target} draft={receiver} change={setReceiver} />}
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

/** What was typed for another choice is not sent. */
function optionsOf(
  by: 'webhook' | 'syslog',
  target: string,
  { format, token, index, sourcetype, ca }: ReceiverDraft,
): Partial<SubscriptionBody> {
  const isSplunk = format === 'splunk';
  const hasCa = by === 'syslog' && /^\s*tls:/i.test(target) && ca.trim() !== '';
  return {
    format,
    ...(isSplunk ? { token: token.trim() } : {}),
    ...(isSplunk && index.trim() !== '' ? { index: index.trim() } : {}),
    ...(isSplunk && sourcetype.trim() !== '' ? { sourcetype: sourcetype.trim() } : {}),
    ...(hasCa ? { ca } : {}),
  };
}

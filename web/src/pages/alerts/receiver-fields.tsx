import { useState } from 'react';
import { type MessageFormat, useMessagePreview } from '../../data/alerts.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { newAlertWords as words } from '../../words/alerts.ts';

/** How a webhook or a syslog receiver wants its messages, as it is typed. */
export interface ReceiverDraft {
  readonly format: MessageFormat;
  readonly token: string;
  readonly index: string;
  readonly sourcetype: string;
  readonly ca: string;
}

export const emptyReceiver: ReceiverDraft = {
  format: 'nameglass',
  token: '',
  index: '',
  sourcetype: '',
  ca: '',
};

const formatsOf = {
  webhook: ['nameglass', 'slack', 'teams', 'mattermost', 'splunk'],
  syslog: ['cef', 'ecs'],
} as const;

export const firstFormat = (by: keyof typeof formatsOf): MessageFormat => formatsOf[by][0];

interface ReceiverFieldsProps {
  readonly by: keyof typeof formatsOf;
  readonly target: string;
  readonly draft: ReceiverDraft;
  readonly change: (draft: ReceiverDraft) => void;
}

export function ReceiverFields({ by, target, draft, change }: ReceiverFieldsProps) {
  const { format, token, index, sourcetype, ca } = draft;
  const set = (part: Partial<ReceiverDraft>) => change({ ...draft, ...part });
  return (
    <>
      <label className="field">
        {words.format}
        <select
          value={format}
          onChange={({ target: field }) => set({ format: field.value as MessageFormat })}
        >
          {formatsOf[by].map((name) => (
            <option key={name} value={name}>
              {words.formats[name]}
            </option>
          ))}
        </select>
        <small className="pale">{words.formatHints[format]}</small>
      </label>
      {format === 'splunk' && (
        <>
          <label className="field">
            {words.token}
            <input
              required
              type="password"
              autoComplete="off"
              value={token}
              onChange={({ target: field }) => set({ token: field.value })}
            />
          </label>
          <div className="schedule">
            <label className="field">
              {words.index}
              <input
                value={index}
                spellCheck={false}
                onChange={({ target: field }) => set({ index: field.value })}
              />
            </label>
            <label className="field">
              {words.sourcetype}
              <input
                value={sourcetype}
                placeholder={words.sourcetypeHint}
                spellCheck={false}
                onChange={({ target: field }) => set({ sourcetype: field.value })}
              />
            </label>
          </div>
        </>
      )}
      {by === 'syslog' && target.trim().toLowerCase().startsWith('tls:') && (
        <label className="field">
          {words.ca}
          <textarea
            rows={3}
            value={ca}
            placeholder={words.caHint}
            spellCheck={false}
            onChange={({ target: field }) => set({ ca: field.value })}
          />
        </label>
      )}
      <MessagePreview format={format} />
    </>
  );
}

/** Two made-up events as the receiver would get them. */
function MessagePreview({ format }: { format: MessageFormat }) {
  const [isOpen, setOpen] = useState(false);
  const preview = useMessagePreview(format, isOpen);
  return (
    <details className="list-preview" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.preview}</summary>
      {isOpen && preview.isPending && <Skeletons count={3} label={words.preview} />}
      {preview.isError && (
        <Failure error={preview.error} what={words.thePreview} retry={() => void preview.refetch()} />
      )}
      {preview.data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
        <pre className="mono message-preview" tabIndex={0} aria-label={words.preview}>
          <Text of={preview.data.text} lines />
        </pre>
      )}
    </details>
  );
}

import { useEffect, useRef } from 'react';
import { type MadeKey, useTestKey } from '../../../data/account/keys-and-usage.ts';
import { plain } from '../../../data/foreign.ts';
import { FieldError } from '../../../parts/field-error.tsx';
import { Text } from '../../../parts/text.tsx';
import { shownKeyWords as words } from '../../../words/account.ts';
import { OnceField } from '../once-field.tsx';
import { TestedKey } from './test-key.tsx';

interface ShownKeyProps {
  readonly made: MadeKey;
  readonly apiUrl: string;
  readonly done: () => void;
}

/** A new secret, which nobody sees again. On the page, not over it: one can go on, and it is gone then. */
export function ShownKey({ made, apiUrl, done }: ShownKeyProps) {
  const test = useTestKey();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const { api_key: apiKey, batch_key: batchKey } = made;
  const curl = (key: string) => `curl -H 'X-Api-Key: ${key}' ${apiUrl}/v1/account/`;
  const batchCurl = (key: string) => `curl -d '{"apikey":"${key}"}' ${apiUrl}/batchd/v1/validate`;
  return (
    <section ref={panel} className="panel shown-key" tabIndex={-1} aria-labelledby="shown-key">
      <h2 id="shown-key">{words.created(<Text of={made.key.username} className="mono" />)}</h2>
      <p>{words.once}</p>
      {apiKey !== undefined && (
        <>
          <OnceField label={words.apiKey} value={plain(apiKey)} copied={words.copied} primary />
          <OnceField label={words.curl} value={curl(plain(apiKey))} copied={words.curlCopied} />
        </>
      )}
      {batchKey !== undefined && (
        <>
          <OnceField label={words.batchKey} value={plain(batchKey)} copied={words.copied} />
          <OnceField label={words.batchCurl} value={batchCurl(plain(batchKey))} copied={words.curlCopied} />
        </>
      )}
      {test.data && <TestedKey of={test.data} />}
      <FieldError error={test.error} />
      <div className="buttons start">
        {apiKey !== undefined && (
          <button type="button" disabled={test.isPending} onClick={() => test.mutate(plain(apiKey))}>
            {test.isPending ? words.testing : words.test}
          </button>
        )}
        <button type="button" onClick={done}>
          {words.done}
        </button>
      </div>
    </section>
  );
}

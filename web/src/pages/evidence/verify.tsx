/** Checks a pack in the browser: whose key signed it, and every file. The file is not sent anywhere. */
import '../../styles/evidence.css';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { foreign, plain } from '../../data/foreign.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { verifyWords as words } from '../../words/evidence/cases.ts';
import { useCases } from './case-data.ts';
import { Verified } from './verified.tsx';
import { type FileAnswer, fileBytesMax, verifyFile } from './verify-file.ts';

export type WhoseKey = 'server' | 'sender' | 'pack';

const whose: readonly { readonly of: WhoseKey; readonly label: string }[] = [
  { of: 'server', label: words.ofServer },
  { of: 'sender', label: words.ofSender },
  { of: 'pack', label: words.ofPack },
];

export function VerifyPage() {
  useTitle(words.title);
  const cases = useCases();
  const [file, setFile] = useState<File>();
  const [of, setOf] = useState<WhoseKey>('server');
  const [pem, setPem] = useState('');
  const serverKey = cases.data && plain(cases.data.key.pem);
  const key = of === 'server' ? serverKey : of === 'sender' ? pem.trim() : undefined;
  const isReady = of === 'pack' || (key !== undefined && key !== '');
  const answer = useAnswer(isReady ? file : undefined, key);
  return (
    <div className="page-body evidence-page">
      <header className="page-head">
        <h1>{words.title}</h1>
      </header>
      <section className="panel">
        <DropField choose={setFile} />
        <fieldset className="whose">
          <legend>{words.whose}</legend>
          {whose.map((one) => (
            <label key={one.of} className="choice">
              <input type="radio" name="whose" checked={one.of === of} onChange={() => setOf(one.of)} />
              {one.label}
            </label>
          ))}
        </fieldset>
        {of === 'server' && cases.isLoading && <Skeletons count={1} label={words.loadingKey} />}
        {of === 'server' && cases.isError && (
          <Failure error={cases.error} what={words.theKey} retry={() => void cases.refetch()} />
        )}
        {of === 'server' && cases.data && (
          <p className="pale mono fingerprint">
            <Text of={cases.data.key.fingerprint} />
          </p>
        )}
        {of === 'sender' && (
          <label className="field">
            {words.pem}
            <textarea
              rows={4}
              className="mono"
              value={pem}
              maxLength={10_000}
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => setPem(target.value)}
            />
            <small>{words.pemHint}</small>
          </label>
        )}
        {of === 'pack' && <p className="pale">{words.ofPackHint}</p>}
        {file && of === 'sender' && !isReady && <p role="status">{words.pemMissing}</p>}
      </section>
      {file && isReady && <Outcome file={file} of={of} answer={answer} />}
    </div>
  );
}

/** Undefined while it is checked. */
function useAnswer(file: File | undefined, key: string | undefined): FileAnswer | undefined {
  const [answer, setAnswer] = useState<FileAnswer>();
  useEffect(() => {
    setAnswer(undefined);
    if (!file) return undefined;
    const ending = new AbortController();
    void verifyFile({ file, key }, ending.signal).then((given) => {
      if (!ending.signal.aborted) setAnswer(given);
    });
    return () => ending.abort();
  }, [file, key]);
  return answer;
}

function DropField({ choose }: { choose: (file: File) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) choose(file);
  };
  return (
    <div
      className={isOver ? 'drop over' : 'drop'}
      role="group"
      aria-label={words.choose}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={field}
        type="file"
        className="sr"
        tabIndex={-1}
        aria-label={words.choose}
        accept=".zip,application/zip"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) choose(file);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
      <button type="button" className="primary" onClick={() => field.current?.click()}>
        {words.choose}
      </button>
      <span>{words.drop}</span>
      <small>{words.hint}</small>
    </div>
  );
}

interface OutcomeProps {
  readonly file: File;
  readonly of: WhoseKey;
  readonly answer: FileAnswer | undefined;
}

function Outcome({ file, of, answer }: OutcomeProps) {
  if (!answer) return <p role="status">{words.checking(<Text of={foreign(file.name)} />)}</p>;
  if (answer.outcome === 'checked') return <Verified name={foreign(file.name)} pack={answer.pack} of={of} />;
  const sentence = {
    unsupported: words.unsupported,
    'invalid-key': words.pemInvalid,
    'too-large': words.tooLarge(fileBytesMax),
    'too-long': words.tooLong,
    failed: words.failed,
  }[answer.outcome];
  return (
    <p className="banner bad" role="alert">
      {sentence}
    </p>
  );
}

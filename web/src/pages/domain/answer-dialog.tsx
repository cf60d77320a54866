/** "Show me the bytes": what the servers answered that a field of the record was read from, and the probe that fetched it. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { answerPath, type RawAnswer, useAnswers } from '../../data/domain.ts';
import { downloadFile } from '../../data/download.ts';
import { plain } from '../../data/foreign.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { answerWords as words } from '../../words/domain.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { useAnswerBytes } from './answer-bytes.ts';

interface AnswerDialogProps {
  readonly name: string;
  readonly field: string;
  /** The collector that the field is from. */
  readonly source: string;
  /** The record of an earlier time is shown. */
  readonly isPast: boolean;
  readonly close: () => void;
}

export function AnswerDialog({ name, field, source, isPast, close }: AnswerDialogProps) {
  const query = useAnswers(name);
  const [at, setAt] = useState(0);
  const answers = query.data?.answers.filter(({ collector }) => plain(collector) === source) ?? [];
  const answer = answers[at] ?? answers[0];
  return (
    <Dialog label={words.label} close={close} className="answer-dialog">
      <h2>{words.title(field)}</h2>
      {query.isError && (
        <Failure error={query.error} what={words.theAnswers} retry={() => void query.refetch()} />
      )}
      {query.isLoading && <Skeletons count={6} label={words.loading} />}
      {query.data && !answer && <p>{words.none}</p>}
      {isPast && answer && <p className="banner">{words.now}</p>}
      {answers.length > 1 && (
        <label className="field">
          {words.choose}
          <select value={at} onChange={({ target }) => setAt(Number(target.value))}>
            {answers.map((one, index) => (
              <option key={index} value={index}>
                {words.line(plainWord(one), spelledOut(one.asked).slice(0, 100), one.bytes)}
              </option>
            ))}
          </select>
        </label>
      )}
      {answer && <Answer name={name} answer={answer} />}
    </Dialog>
  );
}

const plainWord = ({ kind, request }: RawAnswer): string =>
  `${spelledOut(kind)}, ${spelledOut(request).slice(0, 60)}`;

function Answer({ name, answer }: { name: string; answer: RawAnswer }) {
  const { asked, address, request, collector, first_seen, last_seen, truncated } = answer;
  const sha256 = plain(answer.sha256);
  const bytes = useAnswerBytes(name, sha256);
  return (
    <>
      <dl className="answer-facts">
        <dt>{words.asked}</dt>
        <dd>
          <Text of={asked} />
        </dd>
        {address !== null && (
          <>
            <dt>{words.address}</dt>
            <dd className="mono">
              <Text of={address} />
            </dd>
          </>
        )}
        <dt>{words.request}</dt>
        <dd>
          <Text of={request} />
        </dd>
        <dt>{words.collector}</dt>
        <dd>
          <Text of={collector} />
        </dd>
        <dt>{words.firstSeen}</dt>
        <dd>
          <Moment at={first_seen} />
        </dd>
        <dt>{words.lastSeen}</dt>
        <dd>
          <Moment at={last_seen} />
        </dd>
        <dt>{words.checksum}</dt>
        <dd className="mono">
          <Text of={answer.sha256} />
        </dd>
      </dl>
      {truncated && <p className="banner">{words.cut}</p>}
      {bytes.isError && (
        <Failure error={bytes.error} what={words.theBytes} retry={() => void bytes.refetch()} />
      )}
      {bytes.isLoading && <Skeletons count={6} label={words.loading} />}
      {bytes.data && (
        <>
          {!bytes.data.isText && <p className="pale">{words.binary}</p>}
          <section
            className={bytes.data.isText ? 'answer-bytes' : 'answer-bytes numbers'}
            aria-label={words.bytes}
            tabIndex={0}
          >
            <Text of={bytes.data.text} lines />
          </section>
          {bytes.data.shortenedTo !== undefined && (
            <p className="pale">{words.shortened(bytes.data.shortenedTo)}</p>
          )}
        </>
      )}
      <p className="buttons start">
        <button
          type="button"
          onClick={() =>
            void downloadFile(answerPath(name, sha256), {}, new AbortController().signal)
              .then((file) => showToast({ text: words.saved(file) }))
              .catch(showFailure)
          }
        >
          <Download size={15} aria-hidden /> {words.save}
        </button>
      </p>
    </>
  );
}

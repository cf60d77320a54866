import { useEndOtherSessions, useEndSession, useSessions } from '../../data/credentials.ts';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { sessionListWords as words } from '../../words/me.ts';
import { timeWords } from '../../words/parts.ts';
import { agentWords } from './agent-words.ts';

const shortAgent = (agent: Foreign): Foreign => foreign(agentWords(plain(agent)) ?? plain(agent));

export function Sessions() {
  const sessions = useSessions();
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  const all = sessions.data?.sessions ?? [];
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      {sessions.isPending && <Skeletons count={2} label={words.loading} />}
      {sessions.isError && (
        <Failure error={sessions.error} what={words.theSessions} retry={() => void sessions.refetch()} />
      )}
      <ul className="credential-lines">
        {all.map(({ id, current, created, seen, address, agent }) => (
          <li key={id}>
            <span title={spelledOut(agent)}>
              <Text of={shortAgent(agent)} />{' '}
              <small className="pale">
                {words.from(
                  <Text of={address} />,
                  <Ago at={created} suffix={timeWords.ago} />,
                  <Ago at={seen} suffix={timeWords.ago} />,
                )}
              </small>
            </span>
            {current ? (
              <span className="chip">{words.thisOne}</span>
            ) : (
              <button type="button" disabled={end.isPending} onClick={() => end.mutate(id)}>
                {words.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      {all.length > 1 && (
        <div className="buttons start">
          <button
            type="button"
            disabled={endOthers.isPending}
            onClick={() =>
              endOthers.mutate(undefined, {
                onSuccess: ({ ended }) => showToast({ text: words.ended(ended) }),
              })
            }
          >
            {words.endOthers}
          </button>
        </div>
      )}
      <FieldError error={end.error ?? endOthers.error} />
    </section>
  );
}

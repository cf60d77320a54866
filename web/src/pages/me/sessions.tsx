import { agentWords } from '../../data/agent-words.ts';
import { useEndOtherSessions, useEndSession, useSessions } from '../../data/credentials.ts';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';

const shortAgent = (agent: Foreign): Foreign => foreign(agentWords(plain(agent)) ?? plain(agent));

export function Sessions() {
  const sessions = useSessions();
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  const all = sessions.data?.sessions ?? [];
  return (
    <section className="panel">
      <h2>Where you are signed in</h2>
      {sessions.isPending && <Skeletons count={2} label="sessions" />}
      {sessions.isError && (
        <Failure error={sessions.error} what="The sessions" retry={() => void sessions.refetch()} />
      )}
      <ul className="credential-lines">
        {all.map(({ id, current, created, seen, address, agent }) => (
          <li key={id}>
            <span title={spelledOut(agent)}>
              <Text of={shortAgent(agent)} />{' '}
              <small className="pale">
                from <Text of={address} />, since <Ago at={created} suffix=" ago" />, last seen{' '}
                <Ago at={seen} suffix=" ago" />
              </small>
            </span>
            {current ? (
              <span className="chip">this one</span>
            ) : (
              <button type="button" disabled={end.isPending} onClick={() => end.mutate(id)}>
                End it
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
                onSuccess: ({ ended }) => showToast({ text: `${ended} other sessions have ended` }),
              })
            }
          >
            End all others
          </button>
        </div>
      )}
      <FieldError error={end.error ?? endOthers.error} />
    </section>
  );
}

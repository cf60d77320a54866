import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import type { LinkAnswer } from '../../../../src/http/web/session/session-wire.ts';
import { foreign } from '../../data/foreign.ts';
import { meKey } from '../../data/me.ts';
import { request, ServerError } from '../../data/request.ts';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { entryWords as words } from '../../words/entry.ts';
import { EntryPage } from './entry-page.tsx';

/** Out of the address bar before anything else, so that it is neither copied, nor in the history, nor on a screenshot. */
function moveTokenOutOfAddress(): string {
  const token = new URLSearchParams(location.search).get('t') ?? '';
  if (token !== '') history.replaceState(history.state, '', '/ui/enter');
  return token;
}

const token = moveTokenOutOfAddress();

/** Opening the link does not sign in: programs that fetch links ahead of people would use it up. */
export function Enter() {
  useTitle(words.enter);
  const navigate = useNavigate();
  const client = useQueryClient();
  const link = useQuery({
    queryKey: ['link'],
    queryFn: () => request<LinkAnswer>('POST', '/session/link/person', { open: true, body: { token } }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const enter = useMutation({
    mutationFn: () => request('POST', '/session/link', { open: true, body: { token } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: meKey });
      void navigate({ to: '/', replace: true });
    },
  });
  const error = enter.error ?? link.error;
  if (token === '' || error)
    return (
      <EntryPage title={words.badLink}>
        {error && (
          <p role="alert" className="bad-text">
            <Text of={error instanceof ServerError ? error.sentence : foreign(error.message)} />
          </p>
        )}
        <p>{words.anotherLink(<code>nameglass signin NAME</code>)}</p>
        <a className="button" href="/ui/">
          {words.toProduct}
        </a>
      </EntryPage>
    );
  return (
    <EntryPage title={words.welcome}>
      <p>{link.data?.demo ? words.demo : words.once}</p>
      <button
        type="button"
        className="primary large"
        disabled={!link.data || enter.isPending}
        onClick={() => enter.mutate()}
        ref={(button) => button?.focus()}
      >
        {words.enterAs(link.data ? <Text of={link.data.person.name} /> : '…')}{' '}
        <ArrowRight size={16} aria-hidden />
      </button>
    </EntryPage>
  );
}

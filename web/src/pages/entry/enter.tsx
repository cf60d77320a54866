import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import type { LinkAnswer } from '../../../../src/http/web/session/session-wire.ts';
import { foreign } from '../../data/foreign.ts';
import { meKey } from '../../data/me.ts';
import { request, ServerError } from '../../data/request.ts';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
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
  useTitle('Enter');
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
      <EntryPage title="This link does not work">
        {error && (
          <p role="alert" className="bad-text">
            <Text of={error instanceof ServerError ? error.sentence : foreign(error.message)} />
          </p>
        )}
        <p>
          A link works once, for a few minutes. An operator of this server makes another:{' '}
          <code>nameglass signin NAME</code>
        </p>
        <a className="button" href="/ui/">
          To Nameglass
        </a>
      </EntryPage>
    );
  return (
    <EntryPage title="Welcome">
      <p>
        {link.data?.demo
          ? 'This is the demonstration: a small simulated Internet with brands to protect. You can change everything in it.'
          : 'This link signs you in, once.'}
      </p>
      <button
        type="button"
        className="primary large"
        disabled={!link.data || enter.isPending}
        onClick={() => enter.mutate()}
        ref={(button) => button?.focus()}
      >
        Enter as {link.data ? <Text of={link.data.person.name} /> : '…'} <ArrowRight size={16} aria-hidden />
      </button>
    </EntryPage>
  );
}

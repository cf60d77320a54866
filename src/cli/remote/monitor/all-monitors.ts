/** All monitors of the account, by term. */
import type { Remote } from '../remote-command.ts';
import type { Monitor } from './monitor-wire.ts';

export async function* allMonitors({ client }: Pick<Remote, 'client'>): AsyncGenerator<Monitor> {
  const query = { sort: 'term', order: 'asc' };
  yield* client.pages<Monitor>('/v1/intel-detect/monitors/all/', { query });
}

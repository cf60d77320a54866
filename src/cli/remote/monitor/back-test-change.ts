/** What a planned change would have meant over the last 90 days, as the server finds out. */
import type { PlannedChange } from '../../../product/detect/monitor-files/plan-changes.ts';
import type { Remote } from '../remote-command.ts';
import { wireSettings } from './monitor-wire.ts';

export interface BackTest {
  readonly complete: boolean;
  readonly before_count: number;
  readonly after_count: number;
  readonly appearing: BackTestPart;
  readonly disappearing: BackTestPart;
}

interface BackTestPart {
  readonly total_count: number;
  readonly watched: number;
  readonly ignored: number;
  readonly escalated: number;
  readonly domains: readonly { readonly domain: string }[];
}

export function backTest(
  change: Exclude<PlannedChange, { action: 'keep' }>,
  { client }: Pick<Remote, 'client'>,
): Promise<BackTest> {
  return client.json<BackTest>('/v1/intel-detect/monitors/back-test/', { body: bodyOf(change) });
}

function bodyOf(change: Exclude<PlannedChange, { action: 'keep' }>): object {
  if (change.action === 'undeclared') return { monitor_id: change.existing.id, state: 'inactive' };
  const { term, state } = change.declared;
  const settings = { ...wireSettings(change.declared), state };
  return change.action === 'create' ? { term, ...settings } : { monitor_id: change.existing.id, ...settings };
}

/** What the decisions of Triage are called. */
import type { DecisionTarget } from '../../../model/detect/watchlist.ts';

export const decisionWords: Readonly<
  Record<DecisionTarget, { readonly verb: string; readonly done: string }>
> = {
  watched: { verb: 'Watch', done: 'Watching' },
  ignored: { verb: 'Ignore', done: 'Ignored' },
  blocked: { verb: 'Block', done: 'Blocked' },
  external_safe: { verb: 'Submit', done: 'Submitted' },
};

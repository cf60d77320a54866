/** What is said about decisions. */
import type { DecisionTarget } from '../../../../src/http/web/detect/domain-wire.ts';
import { conflictsOf, type Undone } from '../../data/decide.ts';
import type { Domain } from '../../data/detect.ts';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { ServerError } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { defang } from '../../names/defang.ts';
import { Text } from '../../parts/text.tsx';

export const doneWords: Readonly<Record<DecisionTarget, string>> = {
  watched: 'Watching',
  ignored: 'Ignored',
  blocked: 'Blocked',
  external_safe: 'Submitted',
};

export const defanged = (domain: Pick<Domain, 'domain'>): Foreign => foreign(defang(plain(domain.domain)));

export function showDone(to: DecisionTarget, one: Domain | undefined, count: number, undo: () => void): void {
  showToast({
    text: (
      <span>
        {doneWords[to]} {one ? <Text of={defanged(one)} /> : `${count.toLocaleString('en')} domains`}
      </span>
    ),
    action: { label: 'Undo', key: 'u', run: undo },
  });
}

export function showRefused(refused: readonly { readonly message: Foreign }[]): void {
  const [first] = refused;
  if (!first) return;
  showToast({
    bad: true,
    text: (
      <span>
        {refused.length === 1 ? 'One domain was' : `${refused.length} domains were`} left as before:{' '}
        <Text of={first.message} />
      </span>
    ),
  });
}

export function showUndone({ ids, kept }: Undone): void {
  showToast({ text: ids.length === 1 ? 'Undone' : `Undone for ${ids.length.toLocaleString('en')} domains` });
  const [first] = kept;
  if (!first) return;
  showToast({
    bad: true,
    text: (
      <span>
        Not all of it could be undone: <Text of={first.why} />
        {kept.length > 1 && ` (and ${kept.length - 1} more)`}
      </span>
    ),
  });
}

export function showFailure(error: unknown): void {
  const [conflict, ...others] = conflictsOf(error);
  const sentence = error instanceof ServerError ? error.sentence : foreign(String(error));
  showToast({
    bad: true,
    text: conflict ? (
      <span>
        Not undone: <Text of={conflict.by} /> has decided about <Text of={conflict.domain} />
        {others.length > 0 && ` and ${others.length} more`} since.
      </span>
    ) : (
      <Text of={sentence} />
    ),
  });
}

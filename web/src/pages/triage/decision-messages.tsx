/** What is said about decisions. */
import type { DecisionTarget } from '../../../../src/http/web/detect/domain-wire.ts';
import { conflictsOf, type Undone } from '../../data/decide.ts';
import type { Domain } from '../../data/detect.ts';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { ServerError } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { defang } from '../../names/defang.ts';
import { Text } from '../../parts/text.tsx';
import { domains } from '../../words/language.ts';
import { actionWords } from '../../words/parts.ts';
import { decisionWords as words } from '../../words/triage.ts';

export const defanged = (domain: Pick<Domain, 'domain'>): Foreign => foreign(defang(plain(domain.domain)));

export function showDone(to: DecisionTarget, one: Domain | undefined, count: number, undo: () => void): void {
  showToast({
    text: words.doneTo(words.done[to], one ? <Text of={defanged(one)} /> : domains(count)),
    action: { label: actionWords.undo, key: 'u', run: undo },
  });
}

export function showRefused(refused: readonly { readonly message: Foreign }[]): void {
  const [first] = refused;
  if (!first) return;
  showToast({ bad: true, text: words.refused(refused.length, <Text of={first.message} />) });
}

export function showUndone({ ids, kept }: Undone): void {
  showToast({ text: words.undone(ids.length) });
  const [first] = kept;
  if (first) showToast({ bad: true, text: words.notAllUndone(<Text of={first.why} />, kept.length - 1) });
}

export function showFailure(error: unknown): void {
  const [conflict, ...others] = conflictsOf(error);
  const sentence = error instanceof ServerError ? error.sentence : foreign(String(error));
  showToast({
    bad: true,
    text: conflict ? (
      words.conflict(<Text of={conflict.by} />, <Text of={conflict.domain} />, others.length)
    ) : (
      <Text of={sentence} />
    ),
  });
}

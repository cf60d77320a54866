/** The states of a part of a page: loading, failed, empty. The rest of the page lives on. */
import { RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { foreign } from '../data/foreign.ts';
import { ServerError } from '../data/request.ts';
import { actionWords, regionWords } from '../words/parts.ts';
import { Text } from './text.tsx';

const skeletonAfterMs = 150;

/** Of the height of what is to come, and only when it does not come at once. */
export function Skeletons({ count, label }: { count: number; label: string }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), skeletonAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="skeletons" role="status" aria-label={regionWords.loading(label)}>
      {shown && Array.from({ length: count }, (_, index) => <div key={index} className="skeleton" />)}
    </div>
  );
}

function titleOf(error: unknown, what: string): string {
  if (!(error instanceof ServerError)) return regionWords.notShown(what);
  if (error.status === 429) return regionWords.tooMany;
  if (error.status === 403) return regionWords.notPermitted;
  return regionWords.notRead(what);
}

export function Failure({ error, what, retry }: { error: unknown; what: string; retry?: () => void }) {
  const problem = error instanceof ServerError ? error : undefined;
  const sentence =
    problem?.sentence ?? foreign(error instanceof Error ? error.message : regionWords.unknownError);
  return (
    <div className="empty" role="alert">
      <h2>{titleOf(error, what)}</h2>
      <p>
        <Text of={sentence} />
      </p>
      {problem?.retryAfterSeconds !== undefined && <p>{regionWords.possibleIn(problem.retryAfterSeconds)}</p>}
      {retry && problem?.status !== 403 && (
        <button type="button" onClick={retry}>
          <RefreshCw size={15} aria-hidden /> {actionWords.tryAgain}
        </button>
      )}
      {problem?.requestId !== undefined && <small>{regionWords.request(problem.requestId)}</small>}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

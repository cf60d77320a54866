/** The states of a part of a page: loading, failed, empty. The rest of the page lives on. */
import { RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { foreign } from '../data/foreign.ts';
import { ServerError } from '../data/request.ts';
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
    <div className="skeletons" role="status" aria-label={`Loading ${label}`}>
      {shown && Array.from({ length: count }, (_, index) => <div key={index} className="skeleton" />)}
    </div>
  );
}

function titleOf(error: unknown, what: string): string {
  if (!(error instanceof ServerError)) return `${what} could not be shown`;
  if (error.status === 429) return 'Too many requests';
  if (error.status === 403) return 'Not permitted';
  return `${what} could not be read`;
}

export function Failure({ error, what, retry }: { error: unknown; what: string; retry?: () => void }) {
  const problem = error instanceof ServerError ? error : undefined;
  const sentence = problem?.sentence ?? foreign(error instanceof Error ? error.message : 'Unknown error.');
  return (
    <div className="empty" role="alert">
      <h2>{titleOf(error, what)}</h2>
      <p>
        <Text of={sentence} />
      </p>
      {problem?.retryAfterSeconds !== undefined && <p>Possible again in {problem.retryAfterSeconds} s.</p>}
      {retry && problem?.status !== 403 && (
        <button type="button" onClick={retry}>
          <RefreshCw size={15} aria-hidden /> Try again
        </button>
      )}
      {problem?.requestId !== undefined && <small>Request {problem.requestId}</small>}
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

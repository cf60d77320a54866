/** The segments of a query's path. It is split before it is percent-decoded, once. */
import { Problem } from '../../model/problem.ts';

/** Without the first `mounted` segments, which the router has matched, and without the empty one after a trailing slash. */
export function pathSegments(path: string, mounted: number): string[] {
  const segments = path.split('/');
  if (segments[0] === '') segments.shift();
  if (segments.at(-1) === '') segments.pop();
  const rest = mounted === 0 ? segments : segments.slice(mounted);
  return path.includes('%') ? rest.map(decoded) : rest;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem('malformed-request', 'the path has a percent sign without two hex digits of UTF-8');
  }
}

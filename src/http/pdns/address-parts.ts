/** The path of a question as its segments. They are told apart before anything is decoded, and decoded once. */
import { Problem } from '../../model/problem.ts';

/** Without the first `mounted` segments, which the router has matched, and without the empty one of a final slash. */
export function segmentsOf(path: string, mounted: number): string[] {
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

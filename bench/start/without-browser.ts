/** Which processes are not the browser's, for sums of memory. */
import { readFileSync } from 'node:fs';

export function withoutBrowser(pid: number): boolean {
  try {
    return !/chrom|headless_shell/i.test(readFileSync(`/proc/${pid}/comm`, 'utf8'));
  } catch {
    return false;
  }
}

/** CPU time and memory of a process with everything that it started, as Linux counts them. */
import { readdirSync, readFileSync } from 'node:fs';

/** Of `/proc/PID/stat`, on every Linux that Node.js runs on. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  /** User and system time. */
  readonly ticks: number;
  /** The same of children that have ended, with theirs. */
  readonly endedTicks: number;
}

/** The process first, then its descendants. */
export function processTree(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = timesOf(pid)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Since they started. A child that has ended counts as long as its parent lives. */
export function cpuSecondsOf(root: number): number {
  const all = processTree(root).flatMap((pid) => timesOf(pid) ?? []);
  return all.reduce((sum, { ticks, endedTicks }) => sum + ticks + endedTicks, 0) / ticksPerSecond;
}

/** Of the children of this process that have ended, so far. */
export function endedChildrenSeconds(): number {
  return (timesOf(process.pid)?.endedTicks ?? 0) / ticksPerSecond;
}

/** The sum of proportional set sizes: pages that several processes share count once. */
export function memoryBytesOf(root: number, isCounted: (pid: number) => boolean = () => true): number {
  return processTree(root)
    .filter(isCounted)
    .reduce((sum, pid) => sum + proportionalSetSize(pid), 0);
}

function proportionalSetSize(pid: number): number {
  const kibibytes = /^Pss:\s+(\d+)/m.exec(readProcess(`${pid}/smaps_rollup`) ?? '')?.[1];
  return Number(kibibytes ?? 0) * 1024;
}

/** Undefined for a process that has ended. The name of a program may contain spaces and brackets. */
function timesOf(pid: number): ProcessTimes | undefined {
  const fields = readProcess(`${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  if (!fields) return undefined;
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
  return { parent: fields[1] ?? 0, ticks: user + system, endedTicks: childrenUser + childrenSystem };
}

function readProcess(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** What the figures were measured on, and whether it had anything else to do. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Of one processor. */
const quietLoad = 0.3;
const quietStealPercent = 1;

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  readonly kernel: string;
  readonly commit: string;
}

export function describeMachine(): Machine {
  return {
    processor: processorName(),
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
    kernel: `${process.platform} ${release()} ${process.arch}`,
    commit: commitOfTree(),
  };
}

/** Processors of ARM have no name for themselves; their implementer and part identify them. */
function processorName(): string {
  const text = readFileSync('/proc/cpuinfo', 'utf8');
  const find = (key: string) => new RegExp(`^${key}\\s*: (.+)$`, 'm').exec(text)?.[1];
  const known = cpus()[0]?.model;
  if (known && known !== 'unknown') return known;
  return find('model name') ?? `implementer ${find('CPU implementer')}, part ${find('CPU part')}`;
}

function commitOfTree(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', with changes';
    return git('rev-parse', '--short', 'HEAD') + changed;
  } catch {
    return 'unknown';
  }
}

/** Others that compete for the processors while we measure. */
export class QuietCheck {
  readonly #load = loadavg()[0] ?? 0;
  readonly #steal = new StealMeter();

  /** At the start: what ran before us. */
  loadWarning(): string | undefined {
    if (this.#load <= quietLoad * availableParallelism()) return undefined;
    return `the machine is not quiet: its load average is ${this.#load.toFixed(2)}; figures may be too low`;
  }

  /** At the end: what a hypervisor gave to others meanwhile. */
  stealWarning(): string | undefined {
    const percent = this.#steal.percent();
    if (percent <= quietStealPercent) return undefined;
    return `the hypervisor gave ${percent.toFixed(1)} % of the processors to others (steal); figures may be too low`;
  }
}

/** What a hypervisor gives to others from its making on. */
export class StealMeter {
  readonly #before = processorTimes();

  /** Of all processors. */
  percent(): number {
    const now = processorTimes();
    const all = Math.max(1, now.all - this.#before.all);
    return (100 * (now.stolen - this.#before.stolen)) / all;
  }
}

function processorTimes(): { readonly all: number; readonly stolen: number } {
  const [, ...times] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/);
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] =
    times.map(Number);
  return { all: user + nice + system + idle + wait + irq + soft + stolen, stolen };
}

/** What a piece of work takes: time, CPU time and memory, of another process and its children or of this one. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Usage } from './benchmark.ts';
import { cpuSecondsOf, memoryBytesOf } from './process-tree.ts';

/** Reading the memory map of a large process takes milliseconds. */
const sampleMs = 250;

export interface Used<Value> extends Usage {
  readonly value: Value;
  readonly seconds: number;
}

/** Of the process `pid` and its descendants. Memory is sampled. */
export async function usageOf<Value>(pid: number, work: () => Promise<Value>): Promise<Used<Value>> {
  let memoryBytes = memoryBytesOf(pid);
  const sample = () => {
    memoryBytes = Math.max(memoryBytes, memoryBytesOf(pid));
  };
  const watching = setInterval(sample, sampleMs);
  const [cpuBefore, began] = [cpuSecondsOf(pid), performance.now()];
  try {
    const value = await work();
    const seconds = (performance.now() - began) / 1000;
    const cpuSeconds = Math.max(0, cpuSecondsOf(pid) - cpuBefore);
    sample();
    return { value, seconds, cpuSeconds, memoryBytes };
  } finally {
    clearInterval(watching);
  }
}

/** Of this process and its threads, without its children. */
export async function ownUsage<Value>(work: () => Promise<Value> | Value): Promise<Used<Value>> {
  forgetPeak();
  const [cpuBefore, began] = [process.cpuUsage(), performance.now()];
  const value = await work();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { value, seconds, cpuSeconds: (user + system) / 1e6, memoryBytes: peakBytes() };
}

/** Linux then counts the greatest resident memory from now on; where that is not allowed, it is that since the start. */
function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Some containers do not allow it.
  }
}

function peakBytes(): number {
  const kibibytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kibibytes ?? 0) * 1024;
}

/** CPU time of all of them, and the memory of the greatest. */
export function usageTogether(...all: readonly Usage[]): Usage {
  return {
    cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    memoryBytes: Math.max(...all.map(({ memoryBytes }) => memoryBytes)),
  };
}

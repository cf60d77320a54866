/** The YAML files of monitors below a directory, or one file. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { DeclaredMonitor, FileFault } from '../../../product/detect/monitor-files/declared-monitor.ts';
import { RemoteFailure, usageFailure } from '../remote-failure.ts';

const fileBytesMax = 1_000_000;
const yamlName = /\.ya?ml$/i;

/** Whether an argument means files of monitors, and not a list of names. What does not exist does, so that the message names it. */
export function isMonitorFiles(path: string): boolean {
  return yamlName.test(path) || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true);
}

/** In the order of their names. A mistake in any of them refuses all, because what they leave out would be missing. */
export async function readMonitorFiles(path: string): Promise<readonly DeclaredMonitor[]> {
  const { readMonitorFile } = await import('../../../product/detect/monitor-files/read-monitor-file.ts');
  const { findRepeatedTerms } = await import('../../../product/detect/monitor-files/plan-changes.ts');
  const { faultText } = await import('../../../product/detect/monitor-files/declared-monitor.ts');
  const files = filesBelow(path);
  if (files.length === 0)
    throw usageFailure(`there is no .yaml file in ${path}; nameglass monitor export ${path} writes one`);
  const read = files.map((file) => readMonitorFile(shownPath(file), textOf(file)));
  const monitors = read.flatMap((one) => one.monitors);
  const faults: FileFault[] = [...read.flatMap((one) => one.faults), ...findRepeatedTerms(monitors)];
  if (faults.length > 0) throw new RemoteFailure(faults.map(faultText).join('\n'));
  return monitors;
}

function filesBelow(path: string): readonly string[] {
  const state = statSync(path, { throwIfNoEntry: false });
  if (!state) throw usageFailure(`there is no file or directory ${path}`);
  if (!state.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => yamlName.test(name) && !name.split('/').some((part) => part.startsWith('.')))
    .sort()
    .map((name) => join(path, name));
}

function textOf(file: string): string {
  if (statSync(file).size > fileBytesMax)
    throw usageFailure(`${file} is larger than ${fileBytesMax.toLocaleString('en')} bytes`);
  return readFileSync(file, 'utf8');
}

function shownPath(file: string): string {
  return relative('', file);
}

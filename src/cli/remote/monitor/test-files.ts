/** `nameglass monitor test DIRECTORY`: the tests in files of monitors, for CI. No server is needed. */
import type { Command } from 'commander';
import type { CheckedExpectation } from '../../../product/detect/monitor-files/check-expectations.ts';
import type { DeclaredMonitor } from '../../../product/detect/monitor-files/declared-monitor.ts';
import { type Column, member } from '../../listing/column.ts';
import { Listing } from '../../listing/listing.ts';
import type { ListingOptions } from '../../listing/listing-options.ts';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { note } from '../remote-command.ts';
import { exitCodes, reportFailure } from '../remote-failure.ts';
import { readMonitorFiles } from './read-monitor-files.ts';

interface Row {
  readonly at: string;
  readonly term: string;
  readonly domain: string;
  readonly must: string;
  readonly explanation: string;
}

const columns: readonly Column<Row>[] = [
  member('at', { title: 'FILE', keep: true }),
  member('term'),
  member('must'),
  member('domain', { keep: true }),
  member('explanation', { title: 'WHY NOT' }),
];

export async function testFiles(path: string, command: Command, needs: CliNeeds): Promise<void> {
  const options = command.opts<ListingOptions>();
  try {
    const monitors = await readMonitorFiles(path);
    const failed = await showFailed(monitors, options, needs);
    if (failed > 0) process.exitCode = exitCodes.error;
  } catch (error) {
    reportFailure(error, '', needs.clock.now());
  }
}

/** Lists the tests that fail, and says how many there are. */
export async function showFailed(
  monitors: readonly DeclaredMonitor[],
  options: ListingOptions,
  needs: Pick<CliNeeds, 'environment'>,
): Promise<number> {
  const { checkExpectations } = await import('../../../product/detect/monitor-files/check-expectations.ts');
  const checked = checkExpectations(monitors);
  const failed = checked.filter(({ isMet }) => !isMet);
  if (failed.length > 0) {
    const output = new Listing(columns, options, needs);
    for (const one of failed) await output.add(rowOf(one));
    await output.end();
  }
  const tests = `${counted(checked.length, 'test')} of ${counted(monitors.length, 'monitor')}`;
  const untested = monitors.filter(({ expectations }) => expectations.length === 0).length;
  const without = untested > 0 ? ` ${counted(untested, 'monitor')} without tests.` : '';
  note(
    failed.length > 0 ? `${tests}: ${failed.length} failed.${without}` : `${tests} passed.${without}`,
    options,
  );
  return failed.length;
}

function rowOf({ monitor, domain, isMatch, line, explanation }: CheckedExpectation): Row {
  return {
    at: `${monitor.file}:${line}`,
    term: monitor.term,
    must: isMatch ? 'match' : 'not match',
    domain,
    explanation,
  };
}

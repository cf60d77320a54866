/** `nameglass monitor test`: the tests in files of monitors, or which names of a list the monitors would report. The names stay on this machine. */

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { collected, givenValues, hostIn } from '../given-names.ts';
import { type Remote, remoteAction, withRemote } from '../remote-command.ts';
import { usageFailure } from '../remote-failure.ts';
import { allMonitors } from './all-monitors.ts';
import type { Monitor } from './monitor-wire.ts';
import { isMonitorFiles } from './read-monitor-files.ts';
import { testFiles } from './test-files.ts';

interface Row {
  readonly domain: string;
  readonly term: string;
  readonly class: string;
  readonly explanation: string;
  readonly monitor_id: string;
}

const columns: readonly Column<Row>[] = [
  member('domain', { keep: true }),
  member('term', { keep: true }),
  member('class'),
  member('explanation'),
  member('monitor_id', { hidden: true }),
];

export function addTest(monitor: Command, needs: CliNeeds): void {
  const command = monitor
    .command('test')
    .description(
      'run the tests in YAML files of monitors; or which names of a list the monitors would report',
    )
    .argument('[file]', 'a directory, a .yaml file, or one name per line; - or nothing: standard input');
  const testList = remoteAction(needs, testNames);
  withRemote(command).action((file: string | undefined, ...others: unknown[]) =>
    file !== undefined && file !== '-' && isMonitorFiles(file)
      ? testFiles(file, command, needs)
      : testList(file, ...others),
  );
}

async function testNames(remote: Remote, file: string | undefined): Promise<void> {
  const monitors = (await collected(allMonitors(remote))).filter(({ state }) => state === 'active');
  if (monitors.length === 0)
    throw usageFailure('there are no active monitors; nameglass monitor add TERM makes one');
  const { Matcher } = await import('../../../model/lookalike/matcher.ts');
  const { explain } = await import('../../../product/detect/explanation.ts');
  const matcher = new Matcher(
    monitors.map(({ term, match_substring_variations: inside }) => ({
      text: term,
      substringVariations: inside,
    })),
  );
  const output = remote.listing(columns);
  let names = 0;
  for await (const given of namesOf(file)) {
    const domain = hostIn(given);
    names += 1;
    for (const hit of matcher.match(domain)) {
      const found = monitors[hit.term] as Monitor;
      if (found.text_exclusions.some((text) => domain.includes(text.toLowerCase()))) continue;
      await output.add({
        domain,
        term: found.term,
        class: hit.class,
        explanation: explain(hit),
        monitor_id: found.id,
      });
    }
  }
  await output.end();
  remote.total(
    `${counted(output.count, 'match').replace(/matchs$/, 'matches')} in ${counted(names, 'name')}.`,
  );
}

async function* namesOf(file: string | undefined): AsyncGenerator<string> {
  if (file === undefined || file === '-') yield* givenValues([], 'names');
  else
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const name = line.replace(/(?:^|\s)#.*$/, '').trim();
      if (name !== '') yield name;
    }
}

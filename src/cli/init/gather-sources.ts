/** Which sources to follow. */
import type { ListedLog } from '../../collect/sources/certificate-logs/log-list.ts';
import { Problem } from '../../model/problem.ts';
import { print } from '../output.ts';
import { type Answers, parseProbes } from './answers.ts';
import type { FindAnswer, GatherNeeds } from './find-answer.ts';
import {
  chooseLogs,
  findZoneFiles,
  operatorsOf,
  parseNameLists,
  parseReputationLists,
} from './parse-sources.ts';

type SourceAnswers = Pick<Answers, 'logs' | 'zoneFiles' | 'nameLists' | 'reputationLists' | 'probesAll'>;

export async function gatherSources(needs: GatherNeeds, find: FindAnswer): Promise<SourceAnswers> {
  const logs = await gatherLogs(needs, find);
  const zoneFiles = await find('zones', {
    text: 'Directory of zone files',
    fallback: '',
    parse: findZoneFiles,
  });
  if (needs.questions && zoneFiles.length > 0)
    print(`    zones: ${zoneFiles.map(({ zone }) => zone).join(', ')}`);
  const nameLists = await find('names', {
    text: 'Lists of names, as paths or URLs',
    fallback: '',
    parse: parseNameLists,
  });
  const reputationLists = await find('lists', {
    text: 'Reputation lists, as phishing=URL or PATH, or majestic, crux',
    fallback: '',
    parse: parseReputationLists,
  });
  const probesAll = await find('probe', {
    text: 'Probe all new domains, or lookalikes only',
    fallback: 'lookalikes',
    parse: parseProbes,
  });
  return { logs, zoneFiles, nameLists, reputationLists, probesAll };
}

/** Without the list there are no logs to choose from, and everything else goes on. */
async function gatherLogs({ flags, questions, listLogs }: GatherNeeds, find: FindAnswer) {
  if (/^none$/i.test(flags.logs ?? '')) return [];
  let listed: readonly ListedLog[];
  if (questions) print('  Reading the list of certificate logs …');
  try {
    listed = await listLogs();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    print(`  The list of certificate logs cannot be read: ${error.message}.`);
    print(
      '  No log will be followed. Give a copy of the list with --log-list FILE, or add logs later (docs/sources.md).',
    );
    return [];
  }
  const operators = operatorsOf(listed);
  if (questions)
    print(`  ${listed.length} certificate logs accept certificates, of ${operators.join(', ')}.`);
  return find('logs', {
    text: 'Certificate logs to follow: all, none or operators',
    fallback: 'all',
    parse: (text) => chooseLogs(text, listed),
  });
}

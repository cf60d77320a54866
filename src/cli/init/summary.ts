/** What will be written, before it is. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { counted, print } from '../output.ts';
import { wrapText } from '../settings/wrap-text.ts';
import type { Answers } from './answers.ts';
import type { CheckedSource } from './check-answers.ts';
import { daysUntilFull, diskPerDay, sizeText } from './disk-per-day.ts';
import { operatorsOf } from './parse-sources.ts';

const [titleWidth, textWidth, lineWidth] = [18, 60, 78];

export interface SummaryParts {
  readonly answers: Answers;
  readonly checks: readonly CheckedSource[];
  readonly file: string;
  readonly settings: Pick<Settings, 'collect'>;
}

export function printSummary({ answers, checks, file, settings }: SummaryParts): void {
  const { terms, ownDomains, logs, zoneFiles, nameLists, reputationLists, mail } = answers;
  const wrong = (key: string) =>
    checks.filter((one) => one.key === key && one.check.state === 'wrong').map(({ name }) => name);
  const named = (key: string, items: readonly { readonly name: string }[]) => {
    const left = wrong(key);
    const followed = items.map(({ name }) => name).filter((name) => !left.includes(name));
    const leftText = left.length === 0 ? '' : ` (not followed: ${left.join(', ')})`;
    return `${followed.join(', ') || 'none'}${leftText}`;
  };
  const rows: readonly (readonly [title: string, text: string])[] = [
    ['configuration', file],
    ['data', answers.data],
    ['protects', terms.join(', ') || 'nothing yet: add monitors later'],
    ['own domains', ownDomains.join(', ') || 'none'],
    [
      'certificate logs',
      logs.length === 0 ? 'none' : `${counted(logs.length, 'log')} of ${operatorsOf(logs).join(', ')}`,
    ],
    ['zone files', named('sources.zoneFiles', zoneFiles)],
    ['name lists', named('sources.nameLists', nameLists)],
    ['reputation lists', named('risk.lists', reputationLists)],
    ['probes', answers.probesAll ? 'all new domains' : 'lookalikes only'],
    ['mail', mailText(mail)],
    [
      'listens on',
      `${answers.host} port ${answers.port}${answers.publicUrl && `, public as ${answers.publicUrl}`}`,
    ],
    ['first user', answers.username || 'none: the data directory has its accounts, or none is wanted'],
    ['disk', diskText(answers, settings)],
  ];
  for (const [title, text] of rows) {
    const [first = '', ...more] = wrapText(escapeForTerminal(text), textWidth);
    print(`  ${title.padEnd(titleWidth)}${first}`);
    for (const line of more) print(`  ${' '.repeat(titleWidth)}${line}`);
  }
}

function mailText(mail: Answers['mail']): string {
  if (!mail) return 'none: sign-in links are printed by nameglass signin';
  const { server, alertsTo } = mail;
  return `${server.host} port ${server.port} (${server.security}), digest to ${alertsTo || 'nobody'}`;
}

function diskText(answers: Answers, settings: Pick<Settings, 'collect'>): string {
  const disk = diskPerDay(answers, settings);
  const { atFirst, upToThreeMonths, later, records } = disk;
  const free = findFreeBytes(answers.data);
  const freeText = free === undefined ? '' : `; ${sizeText(free)} are free`;
  if (atFirst === 0) return `little without certificate logs${freeText}`;
  const probing = records === 0 ? '' : `, and up to ${sizeText(records)} a day for records of probed domains`;
  const days = free === undefined ? Number.POSITIVE_INFINITY : daysUntilFull(disk, free);
  const enough = days < 90 ? `, enough for ${counted(Math.floor(days), 'day')}` : '';
  return `about ${sizeText(atFirst)} a day in the first week, ${sizeText(upToThreeMonths)} a day for three months, then ${sizeText(later)}${probing}${freeText}${enough}`;
}

/** Of the file system that the data will be on. */
function findFreeBytes(data: string): number | undefined {
  for (let path = data; ; path = dirname(path)) {
    try {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    } catch {
      if (path === dirname(path)) return undefined;
    }
  }
}

/** Sentences about sources that do not answer. */
export function printFailures(checks: readonly CheckedSource[]): void {
  const remote = checks.filter(({ isLocal }) => !isLocal);
  const unreachable = remote.filter(({ check }) => check.state === 'unreachable');
  const wrong = checks.filter(({ check }) => check.state === 'wrong');
  const isMailRefused = checks.some(({ key, check }) => key === 'mail.host' && check.state !== 'answers');
  const sentences = [
    ...(unreachable.length > 0 && unreachable.length === remote.length
      ? ['Nothing on the Internet answered: is this machine connected, and does it resolve names?']
      : []),
    ...(unreachable.length > 0
      ? [
          `${counted(unreachable.length, 'source')} without an answer: kept, the server tries again by itself.`,
        ]
      : []),
    ...(wrong.length > 0
      ? [`${counted(wrong.length, 'source')} cannot be followed: written as a comment, with the reason.`]
      : []),
    ...(isMailRefused ? ['The mail server did not accept us: its settings are kept, correct them.'] : []),
  ];
  for (const sentence of sentences) for (const line of wrapText(sentence, lineWidth)) print(`  ${line}`);
}

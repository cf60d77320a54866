/** Checks whether the chosen sources and the mail server answer, some at once, and prints a line for each. */
import {
  checkCertificateLog,
  checkNameList,
  checkReputationList,
  checkZoneFile,
} from '../../collect/check/check-source.ts';
import type { CheckNeeds, SourceCheck } from '../../collect/check/source-check.ts';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { checkMailServer } from '../../product/detect/alert/check-mail-server.ts';
import { print } from '../output.ts';
import type { Answers } from './answers.ts';

export interface CheckedSource {
  /** `sources.certificateLogs`, `risk.lists`, … */
  readonly key: string;
  readonly name: string;
  readonly isLocal: boolean;
  readonly check: SourceCheck;
}

export interface CheckAnswersNeeds extends CheckNeeds {
  readonly settings: Settings;
}

interface Planned {
  readonly key: string;
  readonly title: string;
  readonly name: string;
  readonly isLocal: boolean;
  readonly run: () => Promise<SourceCheck>;
}

const atOnce = 8;
const stateText = { answers: 'ok', unreachable: 'no answer', wrong: 'wrong' };

export async function checkAnswers(
  answers: Answers,
  needs: CheckAnswersNeeds,
): Promise<readonly CheckedSource[]> {
  const planned = planOf(answers, needs);
  const width = Math.max(0, ...planned.map(({ title, name }) => title.length + name.length + 1));
  const results: CheckedSource[] = [];
  const left = [...planned];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { key, title, name, isLocal, run } = next;
      const check = await run();
      results.push({ key, name, isLocal, check });
      const shown = `${title} ${name}`.padEnd(width);
      print(`  ${stateText[check.state].padEnd(9)}  ${shown}  ${escapeForTerminal(shortened(check.detail))}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** Errors of DNS repeat the name. */
function shortened(detail: string): string {
  return detail.replace(/: query\w+ (E\w+) \S+$/, ' ($1)');
}

function planOf(answers: Answers, needs: CheckAnswersNeeds): readonly Planned[] {
  const isLocal = (location: string) => !/^https?:/i.test(location);
  const { logs, zoneFiles, nameLists, reputationLists, mail } = answers;
  return [
    ...logs.map(({ log }) => ({
      key: 'sources.certificateLogs',
      title: 'log',
      name: log.name,
      isLocal: false,
      run: () => checkCertificateLog(log, needs),
    })),
    ...zoneFiles.map((file) => ({
      key: 'sources.zoneFiles',
      title: 'zone',
      name: file.name,
      isLocal: isLocal(file.location),
      run: () => checkZoneFile(file, needs),
    })),
    ...nameLists.map((list) => ({
      key: 'sources.nameLists',
      title: 'names',
      name: list.name,
      isLocal: isLocal(list.location),
      run: () => checkNameList(list, needs),
    })),
    ...reputationLists.map((list) => ({
      key: 'risk.lists',
      title: 'list',
      name: list.name,
      isLocal: isLocal(list.location),
      run: () => checkReputationList(list, needs),
    })),
    ...(mail
      ? [
          {
            key: 'mail.host',
            title: 'mail',
            name: mail.server.host,
            isLocal: true,
            run: () => checkMail(mail.server, needs.timeoutMs),
          },
        ]
      : []),
  ];
}

async function checkMail(mail: Settings['mail'], timeoutMs: number): Promise<SourceCheck> {
  const fault = await checkMailServer({ settings: { mail }, timeoutMs });
  return fault === undefined
    ? { state: 'answers', detail: mail.username === '' ? 'accepts mail' : 'accepts the user name' }
    : { state: 'unreachable', detail: fault };
}

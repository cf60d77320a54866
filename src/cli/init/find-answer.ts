/** One answer: a flag, or else a question on the terminal, or else the default. */
import type { ListedLog } from '../../collect/sources/certificate-logs/log-list.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { InitFlags } from './flags.ts';
import type { Question, Questions } from './questions.ts';

export interface GatherNeeds {
  readonly flags: InitFlags;
  /** Undefined: nothing is asked. */
  readonly questions: Questions | undefined;
  /** From the environment and `--set`. */
  readonly settings: Settings;
  readonly directory: string;
  /** Reads the public list of logs. */
  readonly listLogs: () => Promise<readonly ListedLog[]>;
  readonly heading: (text: string) => void;
}

export type FindAnswer = <Value>(flag: keyof InitFlags, question: Question<Value>) => Promise<Value>;

export function answerFinder({ flags, questions }: Pick<GatherNeeds, 'flags' | 'questions'>): FindAnswer {
  return async (flag, { text, fallback, parse }) => {
    const given = flags[flag];
    // The word that the brackets show for nothing.
    const understood = (answer: string) =>
      parse(answer === 'none' && flag !== 'logs' && flag !== 'mailSecurity' ? '' : answer);
    if (given === undefined && questions) return questions.ask({ text, fallback, parse: understood });
    try {
      return understood(given === undefined ? fallback : String(given));
    } catch (error) {
      if (!(error instanceof Problem) || given === undefined) throw error;
      const name = flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      throw fieldProblem('invalid-parameters', `--${name}`, error.message);
    }
  };
}

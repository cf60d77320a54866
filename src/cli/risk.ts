/** `nameglass risk`: the risk of names, by what the names alone say, or with what the data directory knows of them. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { plainBytes } from '../collect/rrset-formats/plain-bytes.ts';
import { Problem } from '../model/problem.ts';
import { findNameParts, type NameParts } from '../model/risk/name-parts.ts';
import { NameScorer } from '../model/risk/name-scorer.ts';
import { RiskScorer } from '../model/risk/risk-scorer.ts';
import { explain } from '../product/risk/assess.ts';
import { openRiskScorer } from '../product/risk/open-scorer.ts';
import { readModel } from '../product/risk/read-model.ts';
import { openInput } from './import/input-file.ts';
import type { CliNeeds } from './needs.ts';
import { addRiskEval } from './risk/eval.ts';
import { addRiskLists } from './risk/lists.ts';
import { riskLine, riskText } from './risk/risk-line.ts';
import { scanLines } from './risk/scan-lines.ts';
import { storedLine, storedText } from './risk/stored-line.ts';
import { addRiskTrain } from './risk/train.ts';
import { withSettings } from './settings-options.ts';
import { withStores } from './with-stores.ts';

interface Options {
  readonly model?: string;
  readonly stored?: boolean;
  readonly reasons?: boolean;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass risk secure-paypal-login.top
  nameglass risk secure-paypal-login.top --stored --data /var/lib/nameglass
  zcat new-domains.gz | nameglass risk - | jq -c 'select(.risk_score >= 90) | .domain'

A name alone has from 1 to 99: of names scored 90 and more, at least nine in ten are bad where bad and good names are as many. With --stored,
domains that lists know as good have 0 and those known as bad up to 100. In a pipe, a line of the output is JSON: domain, risk_score,
components, evidence. docs/risk.md tells how a score comes about.
`;

export function addRisk(program: Command, needs: CliNeeds): void {
  const command = program.command('risk').description('score names by what they alone say; needs no server');
  withSettings(command)
    .argument('[what]', 'a name, or a file with one name a line, plain or packed; - reads standard input')
    .option('--model <file>', 'a model; without it, the one that comes with the package')
    .option('--stored', 'with what is stored: records, lists of known domains, and what is shared with them')
    .option('--reasons', 'in a pipe, add what each score is made of')
    .option('--json', 'JSON on a terminal too')
    .addHelpText('after', help)
    .action((what: string | undefined, options: Options) =>
      options.stored ? scoreStored(what, options, needs) : score(what, linesByName(options)),
    );
  addRiskTrain(command, needs);
  addRiskEval(command, needs);
  addRiskLists(command, needs);
}

/** Lines of some names; undefined for what is no domain. */
type LinesOf = (names: readonly string[]) => Promise<readonly (string | undefined)[]>;

function isForPeople({ json }: Options): boolean {
  return process.stdout.isTTY && !json;
}

function linesByName(options: Options): () => LinesOf {
  return () => {
    const scorer = new NameScorer(readModel(options.model));
    const lineOf = isForPeople(options)
      ? (parts: NameParts) => riskText(scorer, parts)
      : (parts: NameParts) => riskLine(scorer, parts, options.reasons ?? false);
    return async (names) =>
      names.map((name) => {
        const parts = findNameParts(name);
        return parts && lineOf(parts);
      });
  };
}

/** Stores stay open until all is written. */
function scoreStored(what: string | undefined, options: Options, needs: CliNeeds): Promise<void> {
  return withStores(options, needs, (stores, settings) =>
    score(what, () => {
      const scorer = options.model
        ? new RiskScorer(readModel(options.model), settings.risk)
        : openRiskScorer(settings);
      const asking = { ...stores, settings, riskScorer: () => scorer };
      return async (names) => {
        const domains = names.map((name) => findNameParts(name)?.domain);
        const known = domains.filter((domain) => domain !== undefined);
        const explained = await explain(known, asking, needs.clock.now());
        const lines = explained.map((one) =>
          isForPeople(options) ? storedText(one) : storedLine(one, options.reasons ?? false),
        );
        let next = 0;
        return domains.map((domain) => (domain === undefined ? undefined : lines[next++]));
      };
    }),
  );
}

/** So many are asked for at once. */
const namesAtOnce = 500;

async function score(what: string | undefined, begin: () => LinesOf): Promise<void> {
  if (what === undefined)
    throw new Problem('invalid-parameters', 'say a name or a file, or - for standard input');
  const linesOf = begin();
  if (what !== '-' && !existsSync(what)) {
    const [line] = await linesOf([what]);
    if (line === undefined)
      throw new Problem('invalid-parameters', `${what} is no file, and no domain that can be registered`);
    await write(`${line}\n`);
    return;
  }
  let passed = 0;
  for await (const read of scanLines(plainBytes(openInput(what).bytes()))) {
    const names = read.map((line) => line.split('\t', 1)[0] ?? '').filter(Boolean);
    for (let from = 0; from < names.length; from += namesAtOnce) {
      const lines = await linesOf(names.slice(from, from + namesAtOnce));
      const told = lines.filter((line) => line !== undefined);
      passed += lines.length - told.length;
      if (told.length > 0) await write(`${told.join('\n')}\n`);
    }
  }
  if (passed > 0)
    process.stderr.write(
      `${passed.toLocaleString('en')} lines are no domain that can be registered, and were passed over\n`,
    );
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

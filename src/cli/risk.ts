/** `nameglass risk`: the risk of names, by what the names alone say, without a server and without data. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { plainBytes } from '../collect/rrset-formats/plain-bytes.ts';
import { Problem } from '../model/problem.ts';
import { findNameParts } from '../model/risk/name-parts.ts';
import { NameScorer } from '../model/risk/name-scorer.ts';
import { readModel } from '../product/risk/read-model.ts';
import { openInput } from './import/input-file.ts';
import { addRiskEval } from './risk/eval.ts';
import { riskLine, riskText } from './risk/risk-line.ts';
import { scanLines } from './risk/scan-lines.ts';
import { addRiskTrain } from './risk/train.ts';
import { withSettings } from './settings-options.ts';

interface Options {
  readonly model?: string;
  readonly reasons?: boolean;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass risk secure-paypal-login.top
  zcat new-domains.gz | nameglass risk - | jq -c 'select(.risk_score >= 90) | .domain'

Scores are from 1 to 99: of names scored 90 and more, at least nine in ten are bad where bad and good names are as many. In a pipe, a
line of the output is JSON: domain, risk_score, components, evidence. docs/risk.md tells how a score comes about.
`;

export function addRisk(program: Command): void {
  const command = program.command('risk').description('score names by what they alone say; needs no server');
  // It reads no settings, and takes the options that every command takes.
  withSettings(command)
    .argument('[what]', 'a name, or a file with one name a line, plain or packed; - reads standard input')
    .option('--model <file>', 'a model; without it, the one that comes with the package')
    .option('--reasons', 'in a pipe, add what each score is made of')
    .option('--json', 'JSON on a terminal too')
    .addHelpText('after', help)
    .action((what: string | undefined, options: Options) => score(what, options));
  addRiskTrain(command);
  addRiskEval(command);
}

async function score(what: string | undefined, options: Options): Promise<void> {
  if (what === undefined)
    throw new Problem('invalid-parameters', 'say a name or a file, or - for standard input');
  const scorer = new NameScorer(readModel(options.model));
  const isForPeople = process.stdout.isTTY && !options.json;
  const lineOf = (name: string) => {
    const parts = findNameParts(name);
    if (!parts) return undefined;
    return isForPeople ? riskText(scorer, parts) : riskLine(scorer, parts, options.reasons ?? false);
  };
  if (what !== '-' && !existsSync(what)) {
    const line = lineOf(what);
    if (line === undefined)
      throw new Problem('invalid-parameters', `${what} is no file, and no domain that can be registered`);
    await write(`${line}\n`);
    return;
  }
  let passed = 0;
  for await (const names of scanLines(plainBytes(openInput(what).bytes()))) {
    let text = '';
    for (const name of names) {
      const line = lineOf(name.split('\t', 1)[0] ?? '');
      if (line === undefined) passed += name === '' ? 0 : 1;
      else text += `${line}\n`;
    }
    if (text !== '') await write(text);
  }
  if (passed > 0)
    process.stderr.write(
      `${passed.toLocaleString('en')} lines are no domain that can be registered, and were passed over\n`,
    );
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

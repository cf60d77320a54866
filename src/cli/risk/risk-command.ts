/** `nameglass risk`: scores names, by the name alone or with the stored records, lists and links. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { decompress } from '../../collect/input/decompress.ts';
import { Problem } from '../../model/problem.ts';
import { assessName, explainDomain, nameFacts } from '../../model/risk/assess-domain.ts';
import { findNameParts } from '../../model/risk/name/name-parts.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { explain } from '../../product/risk/assess.ts';
import { openRiskScorer } from '../../product/risk/open-risk-scorer.ts';
import { openInput } from '../import/input-file.ts';
import type { CliNeeds } from '../needs.ts';
import { configOf, type SettingsOptions, withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { addRiskEval } from './eval.ts';
import { addRiskLists } from './lists.ts';
import { riskLine, riskText } from './risk-line.ts';
import { scanLines } from './scan-lines.ts';
import { storedLine, storedText } from './stored-line.ts';
import { summaryLines } from './summary-text.ts';
import { addRiskTrain } from './train.ts';

interface Options extends SettingsOptions {
  readonly model?: string;
  readonly wellKnown: boolean;
  readonly stored?: boolean;
  readonly reasons?: boolean;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass risk secure-paypal-login.top
  nameglass risk google.com wikipedia.org secure-paypal-login.top
  nameglass risk secure-paypal-login.top --stored --data /var/lib/nameglass
  zcat new-domains.gz | nameglass risk - | jq -c 'select(.risk_score >= 90) | .domain'

A name alone scores 1 to 99, and a well-known domain 0. With --stored, domains on lists of good domains score 0 too, and domains on lists
of bad ones up to 100. In a pipe each output line is JSON: domain, risk_score, components, evidence. docs/risk.md explains how scores are
computed and what they mean.
`;

export function addRisk(program: Command, needs: CliNeeds): void {
  const command = program.command('risk');
  withSettings(command)
    .argument(
      '[names...]',
      'names, or files with one name per line, plain or compressed; - reads standard input',
    )
    .option('--model <file>', 'the model file (default: risk.modelFile, or else the model of the package)')
    .option('--no-well-known', 'score well-known domains like all others')
    .option('--stored', 'also use stored data: records, reputation lists, and links to known bad domains')
    .option('--reasons', 'add the contributions to each score')
    .option('--json', 'print JSON on a terminal too')
    .addHelpText('after', help)
    .action((inputs: readonly string[], options: Options) =>
      options.stored ? scoreStored(inputs, options, needs) : scoreNames(inputs, options, needs),
    );
  addRiskTrain(command, needs);
  addRiskEval(command, needs);
  addRiskLists(command, needs);
}

/** The output lines of a batch of registrable domains. */
type LinesOf = (domains: readonly string[]) => Promise<readonly string[]>;

/** On a terminal a single name has its reasons, several have a line each. */
type Form = 'json' | 'reasons' | 'summary';

function formOf(inputs: readonly string[], { json, reasons }: Options): Form {
  if (!process.stdout.isTTY || json) return 'json';
  const [only = ''] = inputs;
  return reasons || (inputs.length === 1 && !isList(only)) ? 'reasons' : 'summary';
}

/** The same scorer as the server's, if the settings are the same. */
function scorerOf(options: Options, { risk }: Settings): RiskScorer {
  const modelFile = options.model ?? risk.modelFile;
  const wellKnownDomains = options.wellKnown && risk.wellKnownDomains;
  return openRiskScorer({ risk: { ...risk, modelFile, wellKnownDomains } });
}

function scoreNames(inputs: readonly string[], options: Options, needs: CliNeeds): Promise<void> {
  return score(inputs, () => {
    const scorer = scorerOf(options, configOf(options, needs).settings);
    const form = formOf(inputs, options);
    return async (domains) => {
      if (form === 'summary')
        return summaryLines(
          domains.map((domain) => ({
            ...assessName(domain, scorer),
            contributions: explainDomain(nameFacts(domain), scorer),
          })),
        );
      return domains.map((domain) =>
        form === 'json' ? riskLine(scorer, domain, options.reasons ?? false) : riskText(scorer, domain),
      );
    };
  });
}

/** The stores stay open until everything is written. */
function scoreStored(inputs: readonly string[], options: Options, needs: CliNeeds): Promise<void> {
  return withStores(options, needs, (stores, settings) =>
    score(inputs, () => {
      const scorer = scorerOf(options, settings);
      const context = { ...stores, settings, riskScorer: () => scorer };
      const form = formOf(inputs, options);
      return async (domains) => {
        const explained = await explain(domains, context, needs.clock.now());
        if (form === 'summary') return summaryLines(explained);
        return explained.map((one) =>
          form === 'json' ? storedLine(one, options.reasons ?? false) : storedText(one),
        );
      };
    }),
  );
}

const batchSize = 500;

function isList(input: string): boolean {
  return input === '-' || existsSync(input);
}

/** An input that cannot be scored is reported at the end, and costs the others nothing. */
async function score(inputs: readonly string[], begin: () => LinesOf): Promise<void> {
  if (inputs.length === 0)
    throw new Problem('invalid-parameters', 'expected names, a file, or - for standard input');
  const linesOf = begin();
  const bad: string[] = [];
  let named: string[] = [];
  const flush = async () => {
    await write(await linesOf(named));
    named = [];
  };
  for (const input of inputs) {
    const domain = isList(input) ? undefined : findNameParts(input)?.domain;
    if (domain !== undefined) named.push(domain);
    else if (!isList(input)) bad.push(input);
    else {
      await flush();
      await scoreList(input, linesOf);
    }
  }
  await flush();
  const isSingle = bad.length === 1;
  if (bad.length > 0)
    throw new Problem(
      'invalid-parameters',
      `${bad.join(', ')} ${isSingle ? 'is neither a file nor a registrable domain' : 'are neither files nor registrable domains'}`,
    );
}

async function scoreList(file: string, linesOf: LinesOf): Promise<void> {
  let skipped = 0;
  for await (const read of scanLines(decompress(openInput(file).bytes()))) {
    const names = read.map((line) => line.split('\t', 1)[0] ?? '').filter(Boolean);
    for (let from = 0; from < names.length; from += batchSize) {
      const batch = names.slice(from, from + batchSize);
      const domains = batch.flatMap((name) => findNameParts(name)?.domain ?? []);
      skipped += batch.length - domains.length;
      await write(await linesOf(domains));
    }
  }
  if (skipped > 0)
    process.stderr.write(`skipped ${skipped.toLocaleString('en')} lines without a registrable domain\n`);
}

async function write(lines: readonly string[]): Promise<void> {
  if (lines.length > 0 && !process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
}

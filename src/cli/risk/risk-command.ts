/** `nameglass risk`: scores names, by the name alone or with the stored records, lists and links. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { decompress } from '../../collect/input/decompress.ts';
import { Problem } from '../../model/problem.ts';
import { findNameParts, type NameParts } from '../../model/risk/name/name-parts.ts';
import { NameScorer } from '../../model/risk/name/name-scorer.ts';
import { RiskScorer } from '../../model/risk/risk-scorer.ts';
import { explain } from '../../product/risk/assess.ts';
import { openRiskScorer } from '../../product/risk/open-risk-scorer.ts';
import { readModel } from '../../product/risk/read-model.ts';
import { openInput } from '../import/input-file.ts';
import type { CliNeeds } from '../needs.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { addRiskEval } from './eval.ts';
import { addRiskLists } from './lists.ts';
import { riskLine, riskText } from './risk-line.ts';
import { scanLines } from './scan-lines.ts';
import { storedLine, storedText } from './stored-line.ts';
import { addRiskTrain } from './train.ts';

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

A name alone scores 1 to 99: of the names with 90 or more, at least nine in ten are bad in a set with as many bad as good names. With
--stored, domains on lists of good domains score 0, and domains on lists of bad ones up to 100. In a pipe each output line is JSON:
domain, risk_score, components, evidence. docs/risk.md explains how scores are computed.
`;

export function addRisk(program: Command, needs: CliNeeds): void {
  const command = program.command('risk').description('score the risk of names; needs no server');
  withSettings(command)
    .argument(
      '[what]',
      'a name, or a file with one name per line, plain or compressed; - reads standard input',
    )
    .option('--model <file>', 'the model file (default: the model of the package)')
    .option('--stored', 'also use stored data: records, reputation lists, and links to known bad domains')
    .option('--reasons', 'add the contributions to each score to the JSON')
    .option('--json', 'print JSON on a terminal too')
    .addHelpText('after', help)
    .action((what: string | undefined, options: Options) =>
      options.stored ? scoreStored(what, options, needs) : score(what, linesByName(options)),
    );
  addRiskTrain(command, needs);
  addRiskEval(command, needs);
  addRiskLists(command, needs);
}

/** The output lines of a batch of names; undefined for names without a registrable domain. */
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

/** The stores stay open until everything is written. */
function scoreStored(what: string | undefined, options: Options, needs: CliNeeds): Promise<void> {
  return withStores(options, needs, (stores, settings) =>
    score(what, () => {
      const scorer = options.model
        ? new RiskScorer(readModel(options.model), settings.risk)
        : openRiskScorer(settings);
      const context = { ...stores, settings, riskScorer: () => scorer };
      return async (names) => {
        const domains = names.map((name) => findNameParts(name)?.domain);
        const known = domains.filter((domain) => domain !== undefined);
        const explained = await explain(known, context, needs.clock.now());
        const lines = explained.map((one) =>
          isForPeople(options) ? storedText(one) : storedLine(one, options.reasons ?? false),
        );
        let next = 0;
        return domains.map((domain) => (domain === undefined ? undefined : lines[next++]));
      };
    }),
  );
}

const batchSize = 500;

async function score(what: string | undefined, begin: () => LinesOf): Promise<void> {
  if (what === undefined)
    throw new Problem('invalid-parameters', 'expected a name, a file, or - for standard input');
  const linesOf = begin();
  if (what !== '-' && !existsSync(what)) {
    const [line] = await linesOf([what]);
    if (line === undefined)
      throw new Problem('invalid-parameters', `${what} is neither a file nor a registrable domain`);
    await write(`${line}\n`);
    return;
  }
  let skipped = 0;
  for await (const read of scanLines(decompress(openInput(what).bytes()))) {
    const names = read.map((line) => line.split('\t', 1)[0] ?? '').filter(Boolean);
    for (let from = 0; from < names.length; from += batchSize) {
      const lines = await linesOf(names.slice(from, from + batchSize));
      const printed = lines.filter((line) => line !== undefined);
      skipped += lines.length - printed.length;
      if (printed.length > 0) await write(`${printed.join('\n')}\n`);
    }
  }
  if (skipped > 0)
    process.stderr.write(`skipped ${skipped.toLocaleString('en')} lines without a registrable domain\n`);
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

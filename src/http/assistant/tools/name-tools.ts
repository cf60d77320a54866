/** Judgements that need a name alone: whether it resembles a term, and how risky it is. */
import { Type } from 'typebox';
import { yieldIfIterationIsFull } from '../../../concurrency/event-loop-slices.ts';
import { Matcher } from '../../../model/lookalike/matcher.ts';
import { findDomainName } from '../../../model/record/requested-domains.ts';
import { findWrittenDomain } from '../../../model/record/written-domain.ts';
import { assessName, explainDomain, nameFacts } from '../../../model/risk/assess-domain.ts';
import type { RiskScorer } from '../../../model/risk/risk-scorer.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { checkedName } from '../../../product/assistant/lookalike-rows.ts';
import { listReasons } from '../../../product/assistant/reasons.ts';
import type { Detail } from '../../../product/assistant/third-parties.ts';
import { explain } from '../../../product/detect/explanation.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { getDossierDomain } from '../gather-dossier.ts';
import { defineTool, type Tool } from '../tool.ts';
import { Domain, input } from './inputs.ts';

export interface NameToolNeeds extends ChargeCallNeeds {
  readonly riskScorer: () => RiskScorer | Promise<RiskScorer>;
  readonly settings: Pick<Settings, 'limits' | 'assistant'>;
}

export function nameTools(needs: NameToolNeeds): readonly Tool[] {
  return [checkTool(needs), riskTool(needs)];
}

function checkTool(needs: NameToolNeeds): Tool {
  return defineTool({
    name: 'lookalikes_check',
    title: 'Compare names with a term',
    description:
      'Which of up to 500 names resemble a term, and how: typosquats, homoglyphs, combosquats. Needs no stored data.',
    input: input({
      term: Type.String({
        minLength: 3,
        maxLength: 128,
        description: 'what is protected: a brand, a domain',
      }),
      names: Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { minItems: 1, maxItems: 500 }),
      substring_variations: Type.Optional(
        Type.Boolean({ description: 'also variations inside longer labels, not only of whole ones' }),
      ),
    }),
    products: [],
    permission: 'read',
    call: async ({ term, names, substring_variations: substringVariations = false }) => {
      const matcher = new Matcher([{ text: term, substringVariations }]);
      const domains = [...new Set(names.map((name) => findWrittenDomain(name) ?? findDomainName(name)))];
      const read = domains.filter((name) => name !== undefined);
      const found: { readonly domain: string; readonly match: ReturnType<Matcher['match']>[number] }[] = [];
      for (const domain of read) {
        const [match] = matcher.match(domain);
        if (match) found.push({ domain, match });
        await yieldIfIterationIsFull();
      }
      const classes = Map.groupBy(found, ({ match }) => match.class);
      const head = {
        names: read.length,
        lookalikes: found.length,
        unreadable: names.length - names.filter((name) => findWrittenDomain(name) !== undefined).length,
        classes: Object.fromEntries([...classes].map(([kind, those]) => [kind, those.length])),
      };
      const answer = {
        head,
        name: 'matches',
        rowsIn: (detail: Detail) =>
          found.map(({ domain, match }) => checkedName(domain, match, explain, detail)),
      };
      return { data: rowsAnswer(answer, fitAnswer(answer, needs.settings.assistant.answerBytesMax)) };
    },
  });
}

const reasonsMax = 3;

function riskTool(needs: NameToolNeeds): Tool {
  return defineTool({
    name: 'risk_of_name',
    title: 'Risk by name alone',
    description:
      'Scores of up to 100 names that need not exist, by their names alone. For a known domain domain_dossier knows more.',
    input: input({ names: Type.Array(Domain, { minItems: 1, maxItems: 100 }) }),
    products: ['intel-enrich'],
    permission: 'read',
    call: async ({ names }, context) => {
      const domains = [...new Set(names.map((name) => getDossierDomain('names', name)))];
      await chargeCall(context, { product: 'intel-enrich' }, needs);
      const scorer = await needs.riskScorer();
      const judged: {
        readonly domain: string;
        readonly score: number;
        readonly parts: ReturnType<typeof explainDomain>;
      }[] = [];
      for (const domain of domains) {
        const { risk } = assessName(domain, scorer);
        judged.push({ domain, score: risk.risk_score, parts: explainDomain(nameFacts(domain), scorer) });
        await yieldIfIterationIsFull();
      }
      const sorted = judged.toSorted((one, other) => other.score - one.score);
      const answer = {
        head: { names: domains.length, by_name_alone: true },
        name: 'domains',
        rowsIn: (detail: Detail) =>
          sorted.map(({ domain, score, parts }) => ({
            domain,
            score,
            reasons: listReasons(parts, reasonsMax, detail),
          })),
      };
      return { data: rowsAnswer(answer, fitAnswer(answer, needs.settings.assistant.answerBytesMax)) };
    },
  });
}

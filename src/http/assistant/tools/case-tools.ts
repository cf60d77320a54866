/** Reads cases of evidence packs, and what servers answered to collectors. Changes are made by people. */
import { Type } from 'typebox';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { type Detail, fullDetail, thirdParties } from '../../../product/assistant/third-parties.ts';
import type { CaseStore, EvidenceCase } from '../../../store/evidence/case-store.ts';
import type { KeptAnswer, RawAnswerStore } from '../../../store/evidence/raw-answer-store.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { getDossierDomain } from '../gather-dossier.ts';
import { defineTool, type Tool } from '../tool.ts';
import { Domain, input, limitOf } from './inputs.ts';

export interface CaseToolNeeds extends ChargeCallNeeds {
  readonly cases: Pick<CaseStore, 'listCases' | 'findCase'>;
  readonly rawAnswers: Pick<RawAnswerStore, 'listAnswers' | 'findBytes'>;
  readonly settings: ChargeCallNeeds['settings'] & Pick<Settings, 'assistant'>;
}

const product = 'intel-investigate';
const answersMax = 200;
/** Of an answer that is quoted. */
const quotedCharacters = 4000;

export function caseTools(needs: CaseToolNeeds): readonly Tool[] {
  return [casesTool(needs), answersTool(needs)];
}

function casesTool(needs: CaseToolNeeds): Tool {
  return defineTool({
    name: 'evidence_cases',
    title: 'Cases of evidence packs',
    description:
      'Evidence packs that were made, newest first: domains, recipient, when a person sent them, when they were answered, and the outcome. With an id that case alone.',
    input: input({
      id: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{36}$', description: 'of a case' })),
      limit: limitOf(20, 100),
    }),
    products: [product],
    permission: 'read',
    call: async ({ id, limit = 20 }, context) => {
      await chargeCall(context, { product }, needs);
      const accountId = context.caller.account.id;
      const listed =
        id === undefined
          ? await needs.cases.listCases(accountId, limit)
          : [await needs.cases.findCase({ accountId, id })];
      const cases = listed.filter((made) => made !== undefined);
      if (id !== undefined && cases.length === 0)
        throw new Problem('not-found', `there is no evidence pack ${id}`);
      const answer = {
        head: { count: cases.length },
        name: 'cases',
        rowsIn: (detail: Detail) => cases.map((made) => caseRow(made, detail)),
      };
      const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      return { data: rowsAnswer(answer, fitted) };
    },
  });
}

/** Notes often quote the other side. */
function caseRow(made: EvidenceCase, detail: Detail): object {
  const { id, createdMs, domains, recipient, recipientName, note, sentMs, answeredMs, outcome } = made;
  return {
    id,
    created: new Date(createdMs).toISOString(),
    domains,
    recipient,
    outcome,
    ...(sentMs === undefined ? {} : { sent: new Date(sentMs).toISOString() }),
    ...(answeredMs === undefined ? {} : { answered: new Date(answeredMs).toISOString() }),
    sha256: made.hash,
    ...thirdParties({ recipient_name: recipientName, note }, detail),
  };
}

function answersTool(needs: CaseToolNeeds): Tool {
  return defineTool({
    name: 'raw_answers',
    title: 'Raw answers about a domain',
    description:
      'What servers answered to our collectors about a domain (RDAP, WHOIS, HTTP, certificates, DNS): who was asked for what, when, and the checksum. With sha256 the start of that answer, as text. Asks nothing of the domain.',
    input: input({
      domain: Domain,
      sha256: Type.Optional(
        Type.String({ pattern: '^[0-9a-f]{64}$', description: 'of an answer in the list' }),
      ),
      limit: limitOf(20, answersMax),
    }),
    products: [product],
    permission: 'read',
    call: async ({ domain: written, sha256, limit = 20 }, context) => {
      const domain = getDossierDomain('domain', written);
      await chargeCall(context, { product }, needs);
      const kept = await needs.rawAnswers.listAnswers(domain, answersMax);
      if (sha256 !== undefined) return { data: await quotedAnswer(domain, sha256, kept, needs) };
      const answers = kept.slice(0, limit);
      const answer = {
        head: { domain, count: kept.length },
        name: 'answers',
        rowsIn: (detail: Detail) => answers.map((one) => answerRow(one, detail)),
      };
      const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      return { data: rowsAnswer(answer, fitted, { more: kept.length - fitted.rows.length }) };
    },
  });
}

async function quotedAnswer(
  domain: string,
  sha256: string,
  kept: readonly KeptAnswer[],
  { rawAnswers }: CaseToolNeeds,
): Promise<object> {
  const found = kept.find(({ hash }) => hash === sha256);
  const bytes = found && (await rawAnswers.findBytes(sha256));
  if (!found || !bytes) throw new Problem('not-found', `there is no such answer about ${domain}`);
  const { from_third_parties: probe, ...row } = answerRow(found, fullDetail);
  const text = bytes.subarray(0, 4 * quotedCharacters).toString('utf8');
  const quoted = thirdParties({ text }, { ...fullDetail, charactersMax: quotedCharacters });
  return { domain, ...row, from_third_parties: { ...probe, ...quoted.from_third_parties } };
}

/** Redirects choose URLs, and servers the type of what they send. */
function answerRow(answer: KeptAnswer, detail: Detail) {
  const { kind, collector, asked, address, request, firstMs, seenMs, mediaType, hash, size } = answer;
  return {
    kind,
    collector,
    ...(address === undefined ? {} : { address }),
    first_seen: new Date(firstMs).toISOString(),
    last_seen: new Date(seenMs).toISOString(),
    sha256: hash,
    bytes: size,
    truncated: answer.isTruncated,
    ...thirdParties({ asked, request, media_type: mediaType }, detail),
  };
}

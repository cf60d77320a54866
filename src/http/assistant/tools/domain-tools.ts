/** One domain, or some by name: dossier, whole record, bulk, history. */
import { Type } from 'typebox';
import { dayMs } from '../../../model/durations.ts';
import { fieldProblem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { dossierSections } from '../../../product/assistant/dossier/dossier.ts';
import { dossierBytesMax, makeDossier } from '../../../product/assistant/dossier/make-dossier.ts';
import { historyRows, riskHistory } from '../../../product/assistant/history-rows.ts';
import { recordRow, wholeRecord } from '../../../product/assistant/record-rows.ts';
import { type HistoryNeeds, listHistory } from '../../../product/investigate/history.ts';
import type { DomainStore, FieldChange } from '../../../store/domain-store.ts';
import { dataNotice, fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { type DossierNeeds, gatherDossier, getDossierDomain } from '../gather-dossier.ts';
import { defineTool, type ResourceLink, type Tool, type ToolContext } from '../tool.ts';
import { choiceOf, Domain, input, limitOf, Time } from './inputs.ts';

export interface DomainToolNeeds extends DossierNeeds, ChargeCallNeeds {
  readonly domains: DossierNeeds['domains'] & HistoryNeeds['domains'] & Pick<DomainStore, 'findRecords'>;
  readonly settings: DossierNeeds['settings'] & Pick<Settings, 'assistant'>;
}

export function domainTools(needs: DomainToolNeeds): readonly Tool[] {
  return [dossierTool(needs), lookupSingleTool(needs), lookupBulkTool(needs), historyTool(needs)];
}

/** Also a resource. */
export async function dossierOf(
  domain: string,
  sections: readonly (typeof dossierSections)[number][],
  context: ToolContext,
  needs: DomainToolNeeds,
) {
  await chargeCall(context, { product: 'intel-investigate' }, needs);
  const facts = await gatherDossier({ domain, sections }, context.caller, needs, context);
  const bytesMax = Math.min(dossierBytesMax, needs.settings.assistant.answerBytesMax - dataNotice.length);
  return makeDossier(facts, sections, bytesMax);
}

function dossierTool(needs: DomainToolNeeds): Tool {
  return defineTool({
    name: 'domain_dossier',
    title: 'Domain dossier',
    description:
      'Everything that decides about one domain in one answer: risk with reasons, registration, hosting, website, your watchlist, pivots, history, passive DNS. Start here.',
    input: input({
      domain: Domain,
      sections: Type.Optional(
        Type.Array(choiceOf(dossierSections, 'section'), {
          maxItems: 8,
          description: 'only these; all by default',
        }),
      ),
    }),
    products: ['intel-investigate'],
    permission: 'read',
    call: async ({ domain: written, sections = [] }, context) => {
      const domain = getDossierDomain('domain', written);
      const wanted =
        sections.length === 0 ? dossierSections : dossierSections.filter((one) => sections.includes(one));
      const dossier = await dossierOf(domain, wanted, context, needs);
      const isTaken = dossier.website?.screenshot.state === 'taken';
      return { data: dossier, ...(isTaken ? { links: [screenshotLink(domain)] } : {}) };
    },
  });
}

function screenshotLink(domain: string): ResourceLink {
  return { uri: `nameglass://screenshot/${domain}`, name: `screenshot of ${domain}`, mimeType: 'image/png' };
}

function lookupSingleTool(needs: DomainToolNeeds): Tool {
  return defineTool({
    name: 'lookup_single',
    title: 'Whole record of a domain',
    description:
      'The stored record of one domain, all contacts and codes included. domain_dossier is shorter and says more.',
    input: input({ domain: Domain }),
    products: ['intel-investigate'],
    permission: 'read',
    call: async ({ domain: written }, context) => {
      const domain = getDossierDomain('domain', written);
      await chargeCall(context, { product: 'intel-investigate' }, needs);
      const [record] = await needs.domains.findRecords([domain]);
      const head = { domain, known: record !== undefined };
      if (!record)
        return { data: { ...head, advice: 'Unknown domain. risk_of_name judges it by its name.' } };
      const answer = {
        head,
        rowsIn: (detail: Parameters<typeof wholeRecord>[1]) => [wholeRecord(record, detail)],
      };
      const { rows } = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      return { data: { ...head, record: rows[0] ?? {} } };
    },
  });
}

function lookupBulkTool(needs: DomainToolNeeds): Tool {
  return defineTool({
    name: 'lookup_bulk',
    title: 'Several domains at a glance',
    description: 'Risk, dates, rank and activity of up to 100 domains; unknown ones are listed.',
    input: input({ domains: Type.Array(Domain, { minItems: 1, maxItems: 100 }) }),
    products: ['intel-enrich'],
    permission: 'read',
    call: async ({ domains: written }, context) => {
      const names = [...new Set(written.map((one) => getDossierDomain('domains', one)))];
      await chargeCall(context, { product: 'intel-enrich' }, needs);
      const found = await needs.domains.findRecords(names);
      const records = found.filter((record) => record !== undefined);
      const head = {
        requested: names.length,
        known: records.length,
        unknown: names.filter((_, index) => found[index] === undefined),
      };
      const answer = {
        head,
        name: 'domains',
        rowsIn: (detail: Parameters<typeof wholeRecord>[1]) =>
          records.map((record) => recordRow(record, 'evaluate', detail)),
      };
      const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      return { data: rowsAnswer(answer, fitted) };
    },
  });
}

const changesPerPage = 100;
/** A filter reads on until it has found enough. */
const pagesMax = 5;

function historyTool(needs: DomainToolNeeds): Tool {
  return defineTool({
    name: 'domain_history',
    title: 'History of a domain',
    description:
      'What changed in the record of a domain, newest first: registration, DNS, website. Changes of the score are one line.',
    input: input({
      domain: Domain,
      fields: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          maxItems: 20,
          description: 'only these members: ip, name_server, registrar …',
        }),
      ),
      since: Time('only changes since then'),
      before: Time('only older changes; next_before of the previous answer'),
      limit: limitOf(20, 100),
    }),
    products: ['intel-investigate'],
    permission: 'read',
    call: async ({ domain: written, fields = [], since, before, limit = 20 }, context) => {
      const domain = getDossierDomain('domain', written);
      const [sinceMs, beforeMs] = [timeOf('since', since), timeOf('before', before)];
      await chargeCall(context, { product: 'intel-investigate' }, needs);
      const { changes, nextMs } = await readChanges({ domain, fields, sinceMs, beforeMs, limit }, needs);
      const risk = riskHistory(changes);
      const head = { domain, changes: changes.length, ...(risk ? { risk } : {}) };
      const answer = {
        head,
        name: 'rows',
        rowsIn: (detail: Parameters<typeof wholeRecord>[1]) => historyRows(changes, detail).slice(0, limit),
      };
      const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      const all = historyRows(changes).length;
      const lastMs = fitted.rows.length < all ? Date.parse(fitted.rows.at(-1)?.at ?? '') : nextMs;
      const next =
        lastMs === undefined || Number.isNaN(lastMs) ? {} : { next_before: new Date(lastMs).toISOString() };
      return {
        data: {
          ...rowsAnswer({ ...answer, head: { ...head, ...next } }, fitted, {
            more: all - fitted.rows.length,
          }),
        },
      };
    },
  });
}

interface ChangesQuery {
  readonly domain: string;
  readonly fields: readonly string[];
  readonly sinceMs: number | undefined;
  readonly beforeMs: number | undefined;
  readonly limit: number;
}

/** `nextMs`: where older changes begin, if there are any. */
async function readChanges(
  { domain, fields, sinceMs = 0, beforeMs, limit }: ChangesQuery,
  needs: HistoryNeeds,
): Promise<{ readonly changes: readonly FieldChange[]; readonly nextMs: number | undefined }> {
  const wanted: FieldChange[] = [];
  let nextMs = beforeMs;
  for (let page = 0; page < pagesMax; page += 1) {
    const { changes, more } = await listHistory({ domain, beforeMs: nextMs, limit: changesPerPage }, needs);
    const recent = changes.filter(({ atMs }) => atMs >= sinceMs);
    wanted.push(...recent.filter(({ field }) => fields.length === 0 || fields.includes(field)));
    nextMs = more && recent.length === changes.length ? changes.at(-1)?.atMs : undefined;
    if (nextMs === undefined || wanted.length >= limit) break;
  }
  return { changes: wanted, nextMs };
}

/** A day means its beginning. */
export function timeOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const ms = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms) || Math.abs(ms) > 100_000 * dayMs)
    throw fieldProblem(
      'invalid-parameters',
      field,
      'must be a day such as 2026-03-04, or a time with its offset',
    );
  return ms;
}

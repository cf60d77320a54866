/** The page of one value: an address, a name server, an e-mail address, a certificate. Counted once a minute, like a search. */
import { Type } from 'typebox';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { defaultColumns } from '../../../product/investigate/catalogue/columns.ts';
import { resultRows } from '../../../product/investigate/results/result-rows.ts';
import { tagReader } from '../../../product/investigate/tags.ts';
import { describeValue, type ValueNeeds } from '../../../product/investigate/value/describe-value.ts';
import { getValue } from '../../../product/investigate/value/value-kinds.ts';
import { findSightings } from '../../../product/pdns/value-sightings.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import { chargeProduct } from '../charge-product.ts';
import { type PassiveDnsNeeds, requirePassiveDns } from '../domain/passive-dns-operation.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { defineWebOperation, type WebCaller, type WebOperation } from '../web-operation.ts';
import { oneOf } from '../wire-values.ts';
import { searchProduct } from './charged-searches.ts';
import { searchContext } from './read-search.ts';
import { type LimitNeeds, limitsNow } from './search-limits.ts';
import { facetOnWire, oneDecimal, rowOnWire } from './search-rows.ts';
import { type ValueKind, ValuePage, valueKinds } from './search-wire.ts';

export interface ValueOperationNeeds extends ValueNeeds, LimitNeeds, PassiveDnsNeeds {
  readonly domains: ValueNeeds['domains'] & Pick<DomainStore, 'tagsOf'>;
  readonly settings: Pick<Settings, 'limits'>;
}

interface NamedValue {
  readonly kind: ValueKind;
  readonly value: string;
}

export function valueOperation(needs: ValueOperationNeeds): WebOperation {
  const kept = new KeptAnswers<Omit<ValuePage, 'limits'>>();
  return defineWebOperation({
    method: 'GET',
    path: '/values/:kind/:value',
    access: 'read',
    product: searchProduct,
    summary: 'What is known about a value that domains share',
    params: Type.Object({ kind: oneOf(valueKinds), value: Type.String({ maxLength: 512 }) }),
    answer: ValuePage,
    handle: async ({ params, caller, nowMs }) => {
      const named = { kind: params.kind, value: getValue(params.kind, params.value) };
      const threshold = caller.person.preferences.guidedPivotThreshold;
      // Rows have the tags that the person sees.
      const key = JSON.stringify([caller.account.id, caller.user.id, named, threshold]);
      const page = await kept.get(key, nowMs, async () => {
        await chargeProduct(caller, searchProduct, needs, nowMs);
        return pageOf(named, caller, needs, nowMs);
      });
      return { ...page, limits: await limitsNow(caller, needs, nowMs) };
    },
  });
}

async function pageOf(
  { kind, value }: NamedValue,
  caller: WebCaller,
  needs: ValueOperationNeeds,
  nowMs: number,
): Promise<Omit<ValuePage, 'limits'>> {
  const threshold = caller.person.preferences.guidedPivotThreshold;
  const context = searchContext(caller, nowMs, needs.settings);
  const described = await describeValue({ kind, value }, threshold, context, needs);
  const { main, roles, records, facets, facts } = described;
  const rows = await resultRows(records, defaultColumns, tagReader(caller, nowMs), needs.domains);
  return {
    kind,
    value,
    query: main.searchable ? { parameters: { [main.parameter]: [value] } } : null,
    total: main.domains,
    too_many: described.tooMany,
    average_risk: oneDecimal(main.averageRisk),
    guided: main.guided,
    roles: roles.map(({ parameter, domains, averageRisk, guided }) => ({
      parameter,
      domains,
      average_risk: oneDecimal(averageRisk),
      guided,
    })),
    domains: rows.map(rowOnWire),
    facets: facets.map(({ attribute, values }) => facetOnWire(attribute, values)),
    facts: facts.map(({ name, values, more }) => ({ name, values: [...values], more })),
    passive_dns: await passiveDnsOf({ kind, value }, caller, needs, nowMs),
  };
}

const sightingsOf: Readonly<Partial<Record<ValueKind, 'ip' | 'name'>>> = { ip: 'ip', name_server: 'name' };

/** The page has its other parts without passive DNS too. */
async function passiveDnsOf(
  { kind, value }: NamedValue,
  caller: WebCaller,
  needs: ValueOperationNeeds,
  nowMs: number,
): Promise<ValuePage['passive_dns']> {
  const lookedUp = sightingsOf[kind];
  if (lookedUp === undefined || !(await mayUsePassiveDns(caller, needs))) return null;
  const from = { rrsets: needs.rrsets, nowSeconds: Math.floor(nowMs / 1000) };
  // The answer is kept for others too, so it does not end with the request.
  const found = await findSightings(lookedUp, value, from, new AbortController().signal);
  if (!found) return null;
  const time = (seconds: number) => new Date(seconds * 1000).toISOString();
  const { firstSeconds, lastSeconds, records, more } = found;
  return { first: time(firstSeconds), last: time(lastSeconds), records, more };
}

async function mayUsePassiveDns(caller: WebCaller, needs: PassiveDnsNeeds): Promise<boolean> {
  try {
    await requirePassiveDns(caller, needs);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-provisioned') return false;
    throw error;
  }
}

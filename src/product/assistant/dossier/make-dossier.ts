/** Writes a dossier with as much detail as fits. */
import { domainToUnicode } from 'node:url';
import { dayMs } from '../../../model/durations.ts';
import { registrationOf } from '../../../model/record/registration.ts';
import { defined, instantOfMs } from '../plain-values.ts';
import { listReasons } from '../reasons.ts';
import { type Detail, fullDetail, thirdParties } from '../third-parties.ts';
import type { Dossier, DossierSection } from './dossier.ts';
import type { DossierFacts } from './dossier-facts.ts';
import { historySection, passiveDnsSection, pivotSection, watchlistSection } from './dossier-lists.ts';
import { hostingSection, registrationSection, websiteSection } from './dossier-record.ts';

/** A language model reads about one token for 3.5 bytes: 4,000 tokens, with a little space for the words around it. */
export const dossierBytesMax = 13_600;

export interface DossierDetail extends Detail {
  /** Of each list. */
  readonly rowsMax: number;
}

/** The last one fits, whatever the record holds. */
const details: readonly DossierDetail[] = [
  { ...fullDetail, rowsMax: 8 },
  { valuesMax: 5, charactersMax: 120, rowsMax: 5 },
  { valuesMax: 3, charactersMax: 80, rowsMax: 4 },
  { valuesMax: 2, charactersMax: 60, rowsMax: 2 },
  { valuesMax: 1, charactersMax: 40, rowsMax: 1 },
];

export function makeDossier(
  facts: DossierFacts,
  sections: readonly DossierSection[],
  bytesMax = dossierBytesMax,
): Dossier {
  let made: Dossier | undefined;
  for (const [index, detail] of details.entries()) {
    made = dossierWith(facts, sections, detail, index > 0);
    if (Buffer.byteLength(JSON.stringify(made)) <= bytesMax) break;
  }
  return made as Dossier;
}

function dossierWith(
  facts: DossierFacts,
  sections: readonly DossierSection[],
  detail: DossierDetail,
  truncated: boolean,
): Dossier {
  const { domain, record, webUrl } = facts;
  const unicode = domainToUnicode(domain);
  const parts = {
    risk: () => riskSection(facts, detail),
    registration: () => registrationSection(facts, detail),
    hosting: () => hostingSection(record, detail),
    website: () => websiteSection(facts, detail),
    watchlist: () => watchlistSection(facts, detail),
    pivots: () => pivotSection(facts, detail),
    history: () => historySection(facts, detail),
    passive_dns: () => passiveDnsSection(facts, detail),
  } satisfies Record<DossierSection, () => unknown>;
  return {
    domain,
    known: record !== undefined,
    summary: summaryOf(facts),
    truncated,
    own: facts.isOwn,
    ...defined({
      active: record?.active,
      first_seen: instant(record?.first_seen),
      updated: instant(record?.data_updated_timestamp),
      popularity_rank: record?.popularity_rank,
    }),
    tags: facts.tags.slice(0, detail.rowsMax),
    ...defined(Object.fromEntries(sections.map((section) => [section, parts[section]()]))),
    links: defined({ web: webUrl }),
    ...(unicode === domain ? {} : thirdParties({ unicode }, detail)),
  };
}

function riskSection({ assessment, record }: DossierFacts, detail: DossierDetail): Dossier['risk'] {
  const { risk, status, contributions } = assessment;
  return {
    score: risk.risk_score,
    status,
    ...(record === undefined ? { by_name_alone: true } : {}),
    components: Object.fromEntries(risk.components.map(({ name, risk_score }) => [name, risk_score])),
    reasons: listReasons(contributions, detail.rowsMax, detail).map((reason) => ({
      ...reason,
      components: [...reason.components],
    })),
  };
}

/** What an analyst would say first. */
function summaryOf({ assessment, record, isOwn, listed, nowMs }: DossierFacts): string {
  const { risk, status } = assessment;
  const created = record && registrationOf(record).create_date;
  const createdMs = created === undefined ? Number.NaN : Date.parse(created);
  const ageDays = Math.floor((nowMs - createdMs) / dayMs);
  const sentences = [
    isOwn ? 'A domain of your own account.' : '',
    record === undefined
      ? `No record; by its name alone the risk is ${risk.risk_score} of 100.`
      : `Risk ${risk.risk_score} of 100 (${status}).`,
    Number.isFinite(ageDays) && ageDays >= 0 ? `Registered ${countOf(ageDays, 'day')} ago.` : '',
    record?.active === false ? 'Not in DNS now.' : '',
    listed?.domain
      ? `On your watchlist as ${listed.domain.state}${escalatedAs(listed.domain.escalations)}.`
      : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function escalatedAs(escalations: readonly { readonly type: string }[]): string {
  const types = [...new Set(escalations.map(({ type }) => type))];
  return types.length === 0 ? '' : `, escalated (${types.join(', ')})`;
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function instant(text: string | undefined): string | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : instantOfMs(ms);
}

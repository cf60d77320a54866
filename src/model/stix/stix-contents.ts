/** What our objects of STIX 2.1 say: identities, indicators, relationships and sightings of domains. */
import { observableId } from './stix-ids.ts';
import { type StixContent, stixInstant } from './stix-object.ts';
import { type TlpColour, tlpMarkingId } from './tlp-marking.ts';

/** Who says it, and to whom it may be shown. */
export interface Authorship {
  readonly identityId: string;
  readonly marking: TlpColour;
}

export interface IndicatorFacts {
  readonly domain: string;
  readonly score: number | undefined;
  /** Sentences for people. */
  readonly description?: string;
  /** Where somebody decided that it is, whatever its score. */
  readonly isMalicious?: boolean;
  readonly labels: readonly string[];
  readonly validFromMs: number;
  /** After `validFromMs`. */
  readonly validUntilMs?: number;
}

/** Of all identities: the same object must have the same time of creation wherever it is written. */
export const identityCreatedMs = Date.UTC(2026, 0, 1);

/** Where the word for a score is "high". */
const highRisk = 70;

export function identityContent(name: string, { marking }: Pick<Authorship, 'marking'>): StixContent {
  return { object_marking_refs: [tlpMarkingId(marking)], name, identity_class: 'organization' };
}

export function indicatorContent(facts: IndicatorFacts, by: Authorship): StixContent {
  const { domain, score, isMalicious, labels } = facts;
  const text = [facts.description, score === undefined ? undefined : `Risk score ${score} of 100.`];
  const description = text.filter((sentence) => sentence !== undefined).join(' ');
  return {
    ...authored(by),
    name: domain,
    ...(description === '' ? {} : { description }),
    ...(score === undefined ? {} : { confidence: score }),
    indicator_types: [isMalicious || (score ?? 0) >= highRisk ? 'malicious-activity' : 'unknown'],
    pattern: `[domain-name:value = '${quoted(domain)}']`,
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: stixInstant(facts.validFromMs),
    ...(facts.validUntilMs === undefined ? {} : { valid_until: stixInstant(facts.validUntilMs) }),
    ...(labels.length === 0 ? {} : { labels }),
  };
}

/** The indicator is based on the observable. */
export function basedOnContent(indicatorId: string, domain: string, by: Authorship): StixContent {
  return relationship('based-on', indicatorId, observableId('domain-name', domain), by);
}

export function resolvesToContent(domain: string, addressId: string, by: Authorship): StixContent {
  return relationship('resolves-to', observableId('domain-name', domain), addressId, by);
}

export function sightingContent(
  { indicatorId, firstMs, lastMs }: { indicatorId: string; firstMs: number; lastMs: number },
  by: Authorship,
): StixContent {
  return {
    ...authored(by),
    first_seen: stixInstant(firstMs),
    last_seen: stixInstant(Math.max(firstMs, lastMs)),
    sighting_of_ref: indicatorId,
    where_sighted_refs: [by.identityId],
  };
}

export interface CampaignFacts {
  readonly name: string;
  readonly description: string;
  readonly firstMs: number;
  readonly lastMs: number;
}

export function campaignContent(
  { name, description, firstMs, lastMs }: CampaignFacts,
  by: Authorship,
): StixContent {
  return {
    ...authored(by),
    name,
    ...(description === '' ? {} : { description }),
    first_seen: stixInstant(firstMs),
    last_seen: stixInstant(Math.max(firstMs, lastMs)),
  };
}

export function indicatesContent(indicatorId: string, campaignId: string, by: Authorship): StixContent {
  return relationship('indicates', indicatorId, campaignId, by);
}

/** Objects that are shared together because of what they have in common. */
export function groupingContent(
  { name, description, refs }: { name: string; description: string; refs: readonly string[] },
  by: Authorship,
): StixContent {
  return {
    ...authored(by),
    name,
    ...(description === '' ? {} : { description }),
    context: 'suspicious-activity',
    object_refs: refs,
  };
}

function relationship(relationshipType: string, from: string, to: string, by: Authorship): StixContent {
  return { ...authored(by), relationship_type: relationshipType, source_ref: from, target_ref: to };
}

function authored({ identityId, marking }: Authorship): StixContent {
  return { created_by_ref: identityId, object_marking_refs: [tlpMarkingId(marking)] };
}

/** As a text of the pattern language, which ends at an apostrophe. */
function quoted(text: string): string {
  return text.replaceAll(/['\\]/g, String.raw`\$&`);
}

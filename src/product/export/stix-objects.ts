/**
 * STIX 2.1 objects of domains (https://docs.oasis-open.org/cti/stix/v2.1/os/stix-v2.1-os.html). Ids are made from what an object is
 * about, so a consumer that imports two exports has each object once. Two objects with the same id must have the same creation time, so that is
 * part of the id of an indicator; and one version of an object must always say the same, so every export is a new version.
 */
import { type ExportContext, type ExportedDomain } from './export-format.ts';
import { uuidV5 } from './uuid-v5.ts';

export type StixObject = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };

/** Given by the standard for observables, whose ids do not depend on who made them; no other object may use it. */
const observableNamespace = '00abedb4-aa42-466c-9c01-fed23315a9b7';
/** Ours, for everything else. */
const ownNamespace = '6f1c1f0e-9d0b-5c57-8a43-0d1f3b6a2c11';

/** Constant like the id of the identity, which it is a part of. */
const identityCreated = '2026-01-01T00:00:00.000Z';

function idOf(type: string, ...name: readonly string[]): string {
  return `${type}--${uuidV5(ownNamespace, JSON.stringify([type, ...name]))}`;
}

/** The account: the author of all indicators. */
export function identityOf({ account }: ExportContext): StixObject {
  return {
    type: 'identity',
    spec_version: '2.1',
    id: idOf('identity', account.id, account.name),
    created: identityCreated,
    modified: identityCreated,
    name: account.name,
    identity_class: 'organization',
  };
}

export function bundleId({ account, subject, nowMs }: ExportContext): string {
  return idOf('bundle', account.id, subject, String(nowMs));
}

/** The observable, and an indicator unless the domain is known to be good. */
export function objectsOf({ record, tags }: ExportedDomain, context: ExportContext): readonly StixObject[] {
  const value = record.domain;
  const observable: StixObject = {
    type: 'domain-name',
    spec_version: '2.1',
    id: `domain-name--${uuidV5(observableNamespace, JSON.stringify({ value }))}`,
    value,
  };
  const score = record.domain_risk?.risk_score;
  if (score === 0) return [observable];
  const created = new Date(record.first_seen ?? context.nowMs).toISOString();
  const threats = record.domain_risk?.components.flatMap((component) => component.threats ?? []) ?? [];
  const labels = [...new Set([...threats, ...tags])];
  const indicator: StixObject = {
    type: 'indicator',
    spec_version: '2.1',
    id: idOf('indicator', context.account.id, value, created),
    created_by_ref: identityOf(context).id,
    created,
    modified: laterOf(created, new Date(context.nowMs).toISOString()),
    name: value,
    ...(score === undefined ? {} : { description: `Risk score ${score} of 100.`, confidence: score }),
    indicator_types: [score !== undefined && score >= highRisk ? 'malicious-activity' : 'unknown'],
    pattern: `[domain-name:value = '${value.replaceAll(/['\\]/g, String.raw`\$&`)}']`,
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: created,
    ...(labels.length === 0 ? {} : { labels }),
  };
  return [observable, indicator];
}

/** Where the word for a score is "high". */
const highRisk = 70;

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

/** What a collection says about a domain, as parts of which each is an object. */

import type { FeedRecord } from '../../../model/feed/feed.ts';
import type { Authorship, IndicatorFacts } from '../../../model/stix/stix-contents.ts';
import {
  basedOnContent,
  indicatorContent,
  resolvesToContent,
  sightingContent,
} from '../../../model/stix/stix-contents.ts';
import { addressType, observableId } from '../../../model/stix/stix-ids.ts';
import type { SharedList } from '../sharing-store.ts';
import type { ListedFacts } from './listed-facts.ts';
import type { ObjectLog, OpenLog, StatedRow, Statement } from './object-log.ts';

export interface DomainStatement {
  readonly indicator: IndicatorFacts;
  readonly seen: { readonly firstMs: number; readonly lastMs: number };
  readonly addresses: readonly string[];
}

const indicatorPart = 'indicator';
const sightingPart = 'sighting';
const observableTypes = ['domain-name', 'ipv4-addr', 'ipv6-addr'];

const termsMax = 3;
/** From which on a component of the score is worth a label. */
const labelledScore = 70;
const threats = ['phishing', 'malware', 'spam'] as const;

export function listedStatement(domain: string, list: SharedList, facts: ListedFacts): DomainStatement {
  const { score, components, blockedMs, discoveredMs, monitors, addresses } = facts;
  const terms = monitors.slice(0, termsMax).map(({ term }) => term);
  const isBlocked = blockedMs !== undefined;
  const sentences = [
    ...(isBlocked ? ['Blocked by a decision.'] : []),
    ...(terms.length > 0 ? [`Resembles ${terms.join(', ')}.`] : []),
  ];
  return {
    indicator: {
      domain,
      score,
      ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
      isMalicious: isBlocked,
      labels: [
        'lookalike',
        ...(isBlocked ? ['blocked'] : []),
        ...threats.filter((threat) => (components[threat] ?? 0) >= labelledScore),
      ],
      validFromMs: list === 'blocked' && isBlocked ? blockedMs : discoveredMs,
    },
    seen: { firstMs: discoveredMs, lastMs: discoveredMs },
    addresses,
  };
}

/** A domain that is listed again stays the same indicator, with a later end. */
export function hotStatement(line: FeedRecord<'domainhotlist'>, rows: readonly StatedRow[]): DomainStatement {
  const atMs = Date.parse(line.timestamp);
  const said = (part: string, property: string) => {
    const row = rows.find((each) => each.part === part && !each.revoked);
    const content = JSON.parse(row?.content ?? '{}') as Record<string, string>;
    return content[property] === undefined ? atMs : Math.min(atMs, Date.parse(content[property]));
  };
  const scores = {
    phishing: line.phishing_risk,
    malware: line.malware_risk,
    spam: line.spam_risk,
  };
  return {
    indicator: {
      domain: line.domain,
      score: line.overall_risk,
      labels: threats.filter((threat) => (scores[threat] ?? 0) >= labelledScore),
      validFromMs: said(indicatorPart, 'valid_from'),
      validUntilMs: Math.max(atMs + 1000, Date.parse(line.expires)),
    },
    seen: { firstMs: said(sightingPart, 'first_seen'), lastMs: atMs },
    addresses: [],
  };
}

/** Writes what changed. Undefined: nothing is said about the domain any more. */
export function putStatement(
  log: OpenLog,
  domain: string,
  {
    said,
    rows,
    by,
  }: {
    readonly said: DomainStatement | undefined;
    readonly rows: readonly StatedRow[];
    readonly by: Authorship;
  },
  objects: ObjectLog,
): void {
  const parts = new Set<string>(observableTypes);
  const put = (statement: Statement) => {
    parts.add(statement.part);
    return objects.state(log, domain, rows, statement);
  };
  if (said) {
    put({
      part: 'domain-name',
      type: 'domain-name',
      content: { value: domain },
      known: { id: observableId('domain-name', domain), createdMs: log.nowMs },
    });
    const indicatorId = put({
      part: indicatorPart,
      type: 'indicator',
      content: indicatorContent(said.indicator, by),
    });
    put({ part: 'based-on', type: 'relationship', content: basedOnContent(indicatorId, domain, by) });
    put({
      part: sightingPart,
      type: 'sighting',
      content: sightingContent({ indicatorId, ...said.seen }, by),
    });
    for (const address of said.addresses) {
      const addressId = putAddress(log, address, objects);
      put({
        part: `resolves-to ${address}`,
        type: 'relationship',
        content: resolvesToContent(domain, addressId, by),
      });
    }
  }
  for (const row of rows) if (!row.revoked && !parts.has(row.part)) objects.revoke(log, domain, row);
}

/** Addresses are shared by domains: one object for all of them. */
function putAddress(log: OpenLog, address: string, objects: ObjectLog): string {
  const type = addressType(address);
  return objects.state(log, address, objects.stated(log, address), {
    part: type,
    type,
    content: { value: address },
    known: { id: observableId(type, address), createdMs: log.nowMs },
  });
}

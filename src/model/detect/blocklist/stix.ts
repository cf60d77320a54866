/**
 * A STIX 2.1 bundle. What a listed name says never changes while it is on the list, so the time since when it is there is the version of its
 * objects; who wants to be sent what left the list reads the TAXII collection instead.
 */
import {
  type Authorship,
  basedOnContent,
  identityContent,
  identityCreatedMs,
  indicatorContent,
} from '../../stix/stix-contents.ts';
import { accountIdentityId, stixId } from '../../stix/stix-ids.ts';
import { observable, type StixObject, versionedObject } from '../../stix/stix-object.ts';
import { tlpMarking } from '../../stix/tlp-marking.ts';
import type { BlocklistFormat, BlocklistHead } from './format.ts';
import type { ListedName, ListingReason } from './selection.ts';

export const stix: BlocklistFormat = {
  extension: 'stix.json',
  contentType: 'application/stix+json;version=2.1',
  description: 'STIX 2.1 bundle',
  head: (list) => {
    const { author, selection, serial } = list;
    const bundleId = stixId('bundle', author.accountId, selection, String(serial));
    const objects = [tlpMarking(author.marking), identityOf(list)].map((object) => JSON.stringify(object));
    return `{"type":"bundle","id":"${bundleId}","objects":[\n${objects.join('\n,')}\n`;
  },
  lines: (listed, { list }) =>
    listed.kind === 'passed'
      ? ''
      : objectsOf(listed, list)
          .map((object) => `,${JSON.stringify(object)}\n`)
          .join(''),
  foot: ']}\n',
};

function identityOf({ author: { accountId, accountName, marking }, serial }: BlocklistHead): StixObject {
  const version = {
    createdMs: identityCreatedMs,
    modifiedMs: Math.max(identityCreatedMs, serial * 1000),
  };
  const content = identityContent(accountName, { marking });
  return versionedObject({ type: 'identity', id: accountIdentityId(accountId) }, version, content);
}

function objectsOf({ name, reason, sinceMs }: ListedName, { selection, author }: BlocklistHead) {
  const { accountId, marking } = author;
  const by: Authorship = { identityId: accountIdentityId(accountId), marking };
  const version = { createdMs: sinceMs, modifiedMs: sinceMs };
  const about = [accountId, 'blocklist', selection, name, String(sinceMs), marking];
  const id = stixId('indicator', ...about);
  const relationship = { type: 'relationship', id: stixId('relationship', 'based-on', ...about) };
  const facts = {
    domain: name,
    score: reason.riskScore,
    description: whyListed(reason),
    isMalicious: reason.source === 'blocked',
    labels: [reason.source],
    validFromMs: sinceMs,
  };
  return [
    observable('domain-name', name),
    versionedObject({ type: 'indicator', id }, version, indicatorContent(facts, by)),
    versionedObject(relationship, version, basedOnContent(id, name, by)),
  ];
}

function whyListed({ source, tag = '', terms = [] }: ListingReason): string {
  const why = {
    blocked: 'Blocked by a decision.',
    new: 'New lookalike.',
    tagged: `Tagged ${tag}.`,
    allowed: '',
  };
  return [why[source], ...(terms.length > 0 ? [`Resembles ${terms.join(', ')}.`] : [])].join(' ');
}

/** The tags of one or many domains. */
import { fieldProblem } from '../../../model/problem.ts';
import { getDomainNames } from '../../../product/investigate/requested-domain.ts';
import {
  changeTags,
  listTags,
  readLabels,
  type TaggedDomains,
  type TagNeeds,
} from '../../../product/investigate/tags.ts';
import type { TagScope } from '../../../store/domain/tag-store.ts';
import { namesOf } from '../domain/overview-operation.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { tagOfDomainOnWire } from './tag-on-wire.ts';
import { DomainTags, DomainTagsBody, DomainTagsQuery, taggedDomainsMax } from './tag-wire.ts';

export type DomainTagNeeds = TagNeeds;

const common = { product: 'intel-investigate', charge: 'page', answer: DomainTags } as const;
const scopes: readonly TagScope[] = ['own', 'team'];

export function domainTagOperations(needs: DomainTagNeeds): readonly WebOperation[] {
  const read = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/domain-tags/read',
    access: 'read',
    summary: 'The tags of domains',
    body: DomainTagsQuery,
    handle: async ({ body, caller, nowMs }) => {
      const names = getDomainNames('domains', body.domains, taggedDomainsMax);
      return onWire(await listTags(caller, names, needs, nowMs));
    },
  });

  const change = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/domain-tags',
    access: 'triage',
    summary: 'Adds tags to domains, and removes them',
    body: DomainTagsBody,
    handle: async ({ body, caller, nowMs }) => {
      const names = getDomainNames('domains', body.domains, taggedDomainsMax);
      const changes = changesOf(body);
      if (changes.length === 0)
        throw fieldProblem('invalid-parameters', 'add', 'either add or remove must name a tag');
      for (const given of changes) await changeTags(caller, { names, ...given }, needs, nowMs);
      return onWire(await listTags(caller, names, needs, nowMs));
    },
  });

  return [read, change];
}

/** One change for each scope that occurs. All of it is checked before anything changes. */
function changesOf({ add = [], remove = [] }: DomainTagsBody) {
  const labelsOf = (tags: typeof add, scope: TagScope) =>
    tags.filter((tag) => tag.scope === scope).map(({ label }) => label);
  return scopes
    .map((scope) => ({
      scope,
      add: readLabels('add', labelsOf(add, scope)),
      remove: readLabels('remove', labelsOf(remove, scope)),
    }))
    .filter((change) => change.add.length + change.remove.length > 0);
}

function onWire({ tagged, missing }: TaggedDomains): DomainTags {
  const domains = tagged.map(({ domain, tags }) => ({
    ...namesOf(domain),
    tags: tags.map(tagOfDomainOnWire),
  }));
  return { domains, missing: [...missing] };
}

/** Tags of domains, beyond the contract, which leaves them to the web UI. Searches filter by them, and records include them. */
import { type Static, Type } from 'typebox';
import { fieldProblem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { getDomainNames } from '../../../product/investigate/requested-domain.ts';
import {
  changeTags,
  labelsMax,
  listTags,
  readLabels,
  type TagChange,
  type TaggedDomains,
  type TagNeeds,
} from '../../../product/investigate/tags.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { DomainList } from '../records/domain-list.ts';

export interface TagOperationNeeds extends TagNeeds {
  readonly settings: Settings;
}

const TagResponse = Type.Object({
  response: Type.Object({
    domains: Type.Array(
      Type.Object({
        domain: Type.String(),
        tags: Type.Array(
          Type.Object({ label: Type.String(), scope: Type.String(), tagged_at: Type.String() }),
        ),
      }),
    ),
    missing_domains: Type.Array(
      Type.String({ description: 'domains without a record, which therefore have no tags' }),
    ),
  }),
});

const Labels = Type.Optional(Type.Array(Type.String(), { maxItems: labelsMax }));

const changeParameters = Type.Object({
  domain: Type.Optional(DomainList),
  domains: Type.Optional({ ...DomainList, description: 'the same as domain' }),
  add: Labels,
  remove: Labels,
  scope: Type.Optional(
    Type.Unsafe<'own' | 'team'>({
      type: 'string',
      enum: ['own', 'team'],
      default: 'own',
      description: 'own: for the user; team: for the whole account',
    }),
  ),
});

export function tagOperations(needs: TagOperationNeeds): readonly Operation[] {
  const namesMax = needs.settings.limits.investigate.domainsMax;

  const getDomainTags = defineOperation({
    id: 'getDomainTags',
    family: families.investigate,
    route: 'GET /domain-tags/',
    product: 'intel-investigate',
    permission: 'read',
    summary: 'Tags of domains',
    parameters: Type.Object({ domain: DomainList }),
    response: TagResponse,
    parse: ({ parameters }) => getDomainNames('domain', parameters.domain, namesMax),
    handle: async ({ caller, nowMs }, names) => onWire(await listTags(caller, names, needs, nowMs)),
  });

  const postDomainTags = defineOperation({
    id: 'postDomainTags',
    family: families.investigate,
    route: 'POST /domain-tags/',
    product: 'intel-investigate',
    permission: 'triage',
    summary: 'Adds and removes tags of domains',
    parameters: changeParameters,
    response: TagResponse,
    parse: ({ parameters }) => readChange(parameters, namesMax),
    handle: async ({ caller, nowMs }, change) => onWire(await changeTags(caller, change, needs, nowMs)),
  });

  return [getDomainTags, postDomainTags];
}

function readChange(given: Static<typeof changeParameters>, namesMax: number): TagChange {
  const { domain, domains = [], add = [], remove = [], scope = 'own' } = given;
  const field = domain === undefined ? 'domains' : 'domain';
  const names = getDomainNames(field, [...(domain ?? []), ...domains], namesMax);
  const change = { add: readLabels('add', add), remove: readLabels('remove', remove) };
  if (change.add.length + change.remove.length === 0)
    throw fieldProblem('invalid-parameters', 'add', 'either add or remove must name a tag');
  return { names, ...change, scope };
}

function onWire({ tagged, missing }: TaggedDomains): Static<typeof TagResponse> {
  const domains = tagged.map(({ domain, tags }) => ({
    domain,
    tags: tags.map(({ label, scope, taggedMs }) => ({
      label,
      scope,
      tagged_at: new Date(taggedMs).toISOString(),
    })),
  }));
  return { response: { domains, missing_domains: [...missing] } };
}

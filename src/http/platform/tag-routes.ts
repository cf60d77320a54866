/** Tags of domains, beyond the contract, which leaves them to the web UI: searches go by them, and records show them. */
import { type Static, Type } from 'typebox';
import { fieldProblem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { getDomainNames } from '../../product/investigate/asked-domain.ts';
import {
  changeTags,
  labelsMax,
  listTags,
  readLabels,
  type TagChange,
  type TaggedDomains,
  type TagNeeds,
} from '../../product/investigate/tags.ts';
import type { Offer } from './offer.ts';

export interface TagRouteNeeds extends TagNeeds {
  readonly settings: Settings;
}

const TagAnswer = Type.Object({
  response: Type.Object({
    domains: Type.Array(
      Type.Object({
        domain: Type.String(),
        tags: Type.Array(
          Type.Object({ label: Type.String(), scope: Type.String(), tagged_at: Type.String() }),
        ),
      }),
    ),
    missing_domains: Type.Array(Type.String({ description: 'without a record, and so without tags' })),
  }),
});

const Labels = Type.Optional(Type.Array(Type.String(), { maxItems: labelsMax }));

const changeParameters = Type.Object({
  domain: Type.Optional(Type.String({ description: 'names separated by commas' })),
  domains: Type.Optional(Type.Array(Type.String(), { description: 'names, in place of domain' })),
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

export function tagRoutes(offer: Offer, needs: TagRouteNeeds): void {
  const namesMax = needs.settings.limits.investigate.domainsMax;

  offer('getDomainTags', {
    parameters: Type.Object({ domain: Type.String({ description: 'names separated by commas' }) }),
    answer: TagAnswer,
    understand: ({ parameters }) => getDomainNames('domain', parameters.domain, namesMax),
    run: async ({ caller }, names) => onWire(await listTags(caller, names, needs)),
  });

  offer('postDomainTags', {
    parameters: changeParameters,
    answer: TagAnswer,
    understand: ({ parameters }) => readChange(parameters, namesMax),
    run: async ({ caller, nowMs }, change) => onWire(await changeTags(caller, change, needs, nowMs)),
  });
}

function readChange(given: Static<typeof changeParameters>, namesMax: number): TagChange {
  const { domain, domains = [], add = [], remove = [], scope = 'own' } = given;
  const list = [...(domain === undefined ? [] : [domain]), ...domains].join(',');
  const names = getDomainNames(domain === undefined ? 'domains' : 'domain', list, namesMax);
  const change = { add: readLabels('add', add), remove: readLabels('remove', remove) };
  if (change.add.length + change.remove.length === 0)
    throw fieldProblem('invalid-parameters', 'add', 'must have a tag, or remove must');
  return { names, ...change, scope };
}

function onWire({ tagged, missing }: TaggedDomains): Static<typeof TagAnswer> {
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

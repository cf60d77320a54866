/** Tags of the account: list, change, merge, delete, and how they overlap. */
import { Type } from 'typebox';
import {
  changeTagDefinition,
  deleteTagDefinition,
  findTagOverlap,
  listTagDefinitions,
  readTagChange,
  type TagDefinitionNeeds,
} from '../../../product/investigate/tag-definitions.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { type DomainTagNeeds, domainTagOperations } from './domain-tag-operations.ts';
import { tagOnWire } from './tag-on-wire.ts';
import { ChangedTag, DeletedTag, TagChangeBody, TagList, TagOverlap } from './tag-wire.ts';

export type TagWebNeeds = TagDefinitionNeeds & DomainTagNeeds;

const TagParams = Type.Object({ id: Type.String({ maxLength: 20 }) });
const common = { product: 'intel-investigate', charge: 'page' } as const;

export function tagWebOperations(needs: TagWebNeeds): readonly WebOperation[] {
  const list = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/tags',
    access: 'read',
    summary: 'The tags that the person can see',
    answer: TagList,
    handle: async ({ caller, nowMs }) => {
      const { tags, more } = await listTagDefinitions(caller, needs, nowMs);
      return { tags: tags.map(tagOnWire), more };
    },
  });

  const overlap = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/tags/overlap',
    access: 'read',
    summary: 'Other tags of the domains with a tag',
    query: Type.Object({ label: Type.String({ minLength: 1, maxLength: 200 }) }),
    answer: TagOverlap,
    handle: async ({ query: { label }, caller, nowMs }) => {
      const found = await findTagOverlap(caller, label, needs, nowMs);
      return { label, ...found, others: [...found.others] };
    },
  });

  const change = defineWebOperation({
    ...common,
    method: 'PATCH',
    path: '/tags/:id',
    access: 'triage',
    summary: 'Changes a tag, or merges it into another',
    params: TagParams,
    body: TagChangeBody,
    answer: ChangedTag,
    handle: async ({ params, body: { expires_at, ...rest }, caller, nowMs }) => {
      const given = { ...rest, ...(expires_at === undefined ? {} : { expiresAt: expires_at }) };
      const requested = readTagChange(given, nowMs);
      const { tag, moved } = await changeTagDefinition(caller, params.id, requested, { ...needs, nowMs });
      return { tag: tagOnWire(tag), merged: moved === undefined ? null : { moved, domains: tag.domains } };
    },
  });

  const remove = defineWebOperation({
    ...common,
    method: 'DELETE',
    path: '/tags/:id',
    access: 'triage',
    summary: 'Deletes a tag from all domains',
    params: TagParams,
    answer: DeletedTag,
    handle: async ({ params, caller, nowMs }) => ({
      domains: await deleteTagDefinition(caller, params.id, { ...needs, nowMs }),
    }),
  });

  return [list, overlap, change, remove, ...domainTagOperations(needs)];
}

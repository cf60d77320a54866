/** Tags as they are stored, and what becomes of them. */
import { Problem } from '../../model/problem.ts';
import {
  type Tag,
  type TagChange,
  type TagColour,
  type TagDefinition,
  type TagReader,
  type TagScope,
  tagsPerAccountMax,
} from './tag-store.ts';
import { foldedText } from './value-keys.ts';

export type TagId = number;

export interface TagRow {
  readonly id: TagId;
  readonly account_id: string;
  readonly user_id: string;
  readonly folded: string;
  readonly label: string;
  readonly colour: TagColour;
  readonly expires_ms: number | null;
  readonly created_by: string | null;
  readonly created_ms: number;
  readonly used_ms: number;
  readonly domains: number;
}

/** Ids are random, so that they say nothing about the tags of others. */
export const tagIdsMax = 2 ** 48 - 1;

export interface TagOfDomain {
  readonly label: string;
  readonly user_id: string;
  readonly colour: TagColour;
  readonly expires_ms: number | null;
  readonly tagged_ms: number;
}

/** The id is that of the tag as it is now, or of the one that is in the way. */
export type TagOutcome =
  | { readonly outcome: 'changed' | 'merged' | 'exists'; readonly id: string }
  | { readonly outcome: 'missing' };

export function scopeOf(userId: string): TagScope {
  return userId === '' ? 'team' : 'own';
}

export function tagOf({ label, user_id, colour, expires_ms, tagged_ms }: TagOfDomain): Tag {
  return {
    label,
    scope: scopeOf(user_id),
    taggedMs: tagged_ms,
    colour,
    ...(expires_ms === null ? {} : { expiresMs: expires_ms }),
  };
}

/** Of a tag that so many domains have. */
export function definitionOf(row: TagRow, domains: number): TagDefinition {
  return {
    id: String(row.id),
    label: row.label,
    scope: scopeOf(row.user_id),
    colour: row.colour,
    ...(row.expires_ms === null ? {} : { expiresMs: row.expires_ms }),
    domains,
    ...(row.created_by === null ? {} : { by: row.created_by }),
    createdMs: row.created_ms,
    usedMs: row.used_ms,
  };
}

export function changedRow(row: TagRow, change: TagChange, { userId }: TagReader): TagRow {
  const { label = row.label, scope = scopeOf(row.user_id), colour = row.colour, expiresMs } = change;
  const expires_ms = expiresMs === undefined ? row.expires_ms : expiresMs === 'never' ? null : expiresMs;
  return {
    ...row,
    label,
    folded: foldedText(label),
    user_id: scope === 'own' ? userId : '',
    colour,
    expires_ms,
  };
}

export function tooManyTags(): Problem {
  return new Problem(
    'invalid-parameters',
    `The account has ${tagsPerAccountMax} tags, and there cannot be more: delete or merge some.`,
  );
}

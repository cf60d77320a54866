/** The properties that objects of STIX 2.1 have by their kind; what one says besides is its content (`stix-contents.ts`). */
import { type ObservableType, observableId } from './stix-ids.ts';

export type StixContent = Readonly<Record<string, unknown>>;

export type StixObject = StixContent & { readonly type: string; readonly id: string };

export interface StixVersion {
  readonly createdMs: number;
  readonly modifiedMs: number;
  /** For good: a revoked object has no later version. */
  readonly revoked?: boolean;
}

export function stixInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** An object that has versions. */
export function versionedObject(
  { type, id }: { readonly type: string; readonly id: string },
  { createdMs, modifiedMs, revoked = false }: StixVersion,
  content: StixContent,
): StixObject {
  return {
    type,
    spec_version: '2.1',
    id,
    created: stixInstant(createdMs),
    modified: stixInstant(modifiedMs),
    ...(revoked ? { revoked } : {}),
    ...content,
  };
}

/** Claims nothing, so it has neither versions nor an author. */
export function observable(type: ObservableType, value: string): StixObject {
  return { type, spec_version: '2.1', id: observableId(type, value), value };
}

/** Typed access to untrusted JSON: a member of the wrong type counts as absent. */

export type JsonObject = Readonly<Record<string, unknown>>;

const itemsMax = 200;

export function objectIn(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, itemsMax) : [];
}

export function textsIn(value: unknown): string[] {
  const list = typeof value === 'string' ? [value] : listIn(value);
  return list.filter((item): item is string => typeof item === 'string' && item !== '');
}

export function objectsIn(value: unknown): JsonObject[] {
  return listIn(value)
    .map(objectIn)
    .filter((object) => object !== undefined);
}

/** Loads `@peculiar/x509` after defining the part of `reflect-metadata` that it needs. */
const kept = new WeakMap<object, Map<unknown, unknown>>();

function getOwnMetadata(key: unknown, target: object): unknown {
  return kept.get(target)?.get(key);
}

function getMetadata(key: unknown, target: object): unknown {
  for (let at: object | null = target; at; at = Object.getPrototypeOf(at)) {
    const found = getOwnMetadata(key, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const own = kept.get(target) ?? new Map<unknown, unknown>();
  kept.set(target, own.set(key, value));
}

function metadata(key: unknown, value: unknown) {
  return (target: object) => defineMetadata(key, value, target);
}

if (!('getMetadata' in Reflect))
  Object.assign(Reflect, { getMetadata, getOwnMetadata, defineMetadata, metadata });

export const x509 = await import('@peculiar/x509');

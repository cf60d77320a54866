/** The API description as a test reads it. */
import type { TestServer } from '../../harness/server/test-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
export type Json = any;

export interface PublishedOperation {
  readonly id: string;
  readonly method: string;
  /** The template: `/v1/feed/{feed}/tail/`. */
  readonly path: string;
  readonly operation: Json;
}

export async function readDescription(server: TestServer): Promise<Json> {
  return (await server.call('GET /openapi.json')).json;
}

export function operationsIn(description: Json): readonly PublishedOperation[] {
  return Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      id: operation.operationId as string,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** Follows a reference within the description. */
export function resolved(description: Json, node: Json): Json {
  if (typeof node?.$ref !== 'string') return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((at: Json, step: string) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')], description);
}

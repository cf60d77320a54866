/** The operations of a route, from its schema. A wildcard becomes the paths that it stands for. */
import type { FastifySchema } from 'fastify';
import type { Components, Json } from './components.ts';
import { errorKindOf, errorReferences } from './error-responses.ts';
import type { DescribedRoute, PathTemplate } from './route-description.ts';

/** A request and its answer, recorded from a server. */
export interface Example {
  /** The request line. */
  readonly request: string;
  readonly body?: unknown;
  readonly status: number;
  readonly contentType: string;
  /** Of a response of many lines, one of them. */
  readonly value: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

/** Its parameters are texts until all operations are known: see `Components`. */
export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly string[];
  readonly operation: Json;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

const json = 'application/json';
const csvText = { type: 'string', description: 'a table of the same' };

export function describeRoute(
  route: DescribedRoute,
  components: Components,
  examples: Examples,
): DescribedOperation[] {
  const { url, schema = {} } = route;
  const templates = templatesOf(url, schema);
  const example = examples[templates[0]?.operationId ?? ''];
  const name = templates[0]?.operationId ?? '';
  const answers = answersOf(schema, name, components, example);
  const shared =
    templates.length === 1
      ? answers
      : Object.fromEntries(
          Object.entries(answers).map(([status, answer]) => [
            status,
            components.response(`${name}${status}`, answer as Json),
          ]),
        );
  return templates.map(({ path, operationId, params }) => ({
    path,
    method: String(route.method).toLowerCase(),
    parameters: parametersOf(schema, params, components),
    operation: {
      operationId,
      ...headOf(schema),
      ...(schema.body ? { requestBody: bodyOf(schema, operationId, components, example) } : {}),
      responses: { ...shared, ...errorReferences(errorKindOf(route.config?.scope, schema.errors)) },
      security: schema.security ?? [],
    },
  }));
}

function templatesOf(
  url: string,
  { templates, operationId = '', params }: FastifySchema,
): readonly PathTemplate[] {
  if (templates) return templates.map((each) => ({ ...each, path: url.replace('*', each.path) }));
  const declared = ((params ?? {}) as Partial<ObjectSchema>).properties ?? {};
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  return [
    {
      path: url.replaceAll(/:(\w+)/g, '{$1}'),
      operationId,
      params: Object.fromEntries(names.map((name) => [name, declared[name] ?? { type: 'string' }])),
    },
  ];
}

function parametersOf(
  { querystring, tags = [] }: FastifySchema,
  params: PathTemplate['params'],
  components: Components,
): string[] {
  const { properties = {}, required = [] } = (querystring ?? {}) as Partial<ObjectSchema>;
  const inPath = Object.entries(params).map(([name, schema]) => ({
    name,
    schema,
    in: 'path',
    required: true,
  }));
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    in: 'query',
    required: required.includes(name),
  }));
  return [...inPath, ...inQuery].map(({ name, schema, in: where, required: isRequired }) => {
    const { description, ...rest } = schema as Json;
    const parameter = {
      name,
      in: where,
      ...(isRequired ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: components.schema(rest),
    };
    return components.parameter(parameter, tags[0] ?? '');
  });
}

function headOf({ tags, summary, description, deprecated }: FastifySchema): Json {
  return {
    tags,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated ? { deprecated } : {}),
  };
}

function bodyOf(
  { body, consumes = [json] }: FastifySchema,
  operationId: string,
  components: Components,
  example: Example | undefined,
): Json {
  const schema = components.whole(body as object, `${capitalized(operationId)}Request`);
  const content = consumes.map((type, at) => [
    type,
    { schema, ...(at === 0 && example?.body !== undefined ? { example: example.body } : {}) },
  ]);
  return { required: true, content: Object.fromEntries(content) as Json };
}

/** Declared as a schema, or with a schema for each content type. */
function answersOf(
  { response = {}, produces = [json], summary = '' }: FastifySchema,
  operationId: string,
  components: Components,
  example: Example | undefined,
): Json {
  const answers = Object.entries(response as Record<string, Json>).map(([status, given]) => {
    const { description = summary, content, ...schema } = given;
    if (status === '304') return [status, { description }];
    const declared = content ?? Object.fromEntries(produces.map((type) => [type, { schema }]));
    const types = Object.entries(declared as Record<string, { readonly schema: object }>).map(
      ([type, each]) => {
        const whole =
          type === 'text/csv' ? csvText : components.whole(each.schema, `${capitalized(operationId)}Answer`);
        const isShown = example?.contentType === type && String(example.status) === status;
        return [
          type,
          {
            schema: whole,
            ...(isShown
              ? {
                  examples: {
                    recorded: components.example(operationId, {
                      summary: example.request,
                      value: example.value,
                    }),
                  },
                }
              : {}),
          },
        ];
      },
    );
    return [status, { description, content: Object.fromEntries(types) as Json }];
  });
  return Object.fromEntries(answers) as Json;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

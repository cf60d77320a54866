/** The shared parts of the description. A schema with a `title` is written once, under that name; so is a parameter used twice. */

export type Json = Readonly<Record<string, unknown>>;

/** Of the readers of parameters; no keyword of JSON Schema. */
const privateKeywords = new Set(['must', 'commas']);
const schemaKeywords = new Set(['items', 'additionalProperties', 'not']);
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf']);
const schemaMaps = new Set(['properties', 'patternProperties']);

export class Components {
  readonly #schemas = new Map<string, string>();
  readonly #examples: Record<string, Json> = {};
  readonly #exampleNames = new Map<string, string>();
  readonly #responses: Record<string, Json> = {};
  readonly #names = new Map<string, string>();
  readonly #converted = new Map<object, Json>();
  readonly #parameters = new Map<string, { readonly parameter: Json; readonly tag: string; uses: number }>();

  /** The schema, or a reference to it where it has a title. */
  schema(given: object): Json {
    const known = this.#converted.get(given);
    if (known) return known;
    const { title, ...schema } = this.#convert(given as Json);
    const made = typeof title === 'string' ? this.#reference(title, schema) : schema;
    this.#converted.set(given, made);
    return made;
  }

  /** The same for the whole of a body, which is written once however many operations have it. */
  whole(given: object, name: string): Json {
    const schema = this.schema(given);
    const text = JSON.stringify(schema);
    if ('$ref' in schema || text.length < 100) return schema;
    const known = this.#names.get(text);
    if (known === undefined) this.#names.set(text, name);
    return this.#reference(known ?? name, schema);
  }

  /** The text stands for the parameter until all are known. */
  parameter(parameter: Json, tag: string): string {
    const text = JSON.stringify(parameter);
    const known = this.#parameters.get(text);
    if (known) known.uses += 1;
    else this.#parameters.set(text, { parameter, tag, uses: 1 });
    return text;
  }

  /** Parameters by their text: a reference to those that several operations have. */
  resolveParameters(): { readonly byText: ReadonlyMap<string, Json>; readonly shared: Json } {
    const byText = new Map<string, Json>();
    const shared: Record<string, Json> = {};
    for (const [text, { parameter, tag, uses }] of this.#parameters) {
      const short = String(parameter['name']).replaceAll(/[^\w.-]/g, '_');
      const long = `${tag.replaceAll(' ', '')}.${short}`;
      const name = freeName([short, long], shared);
      if (uses > 1) shared[name] = parameter;
      byText.set(text, uses > 1 ? { $ref: `#/components/parameters/${name}` } : parameter);
    }
    return { byText, shared };
  }

  /** A long example is written once, however many operations have it. */
  example(name: string, example: { readonly summary: string; readonly value: unknown }): Json {
    const text = JSON.stringify(example.value);
    if (text.length < 1000) return example;
    const known = this.#exampleNames.get(text) ?? name;
    this.#exampleNames.set(text, known);
    this.#examples[known] ??= example;
    return { $ref: `#/components/examples/${known}` };
  }

  examples(): Json {
    return this.#examples;
  }

  response(name: string, response: Json): Json {
    this.#responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  }

  responses(): Json {
    return this.#responses;
  }

  schemas(): Json {
    const entries = [...this.#schemas].map(([name, text]) => [name, JSON.parse(text) as Json] as const);
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #reference(name: string, schema: Json): Json {
    const text = JSON.stringify(schema);
    const known = this.#schemas.get(name);
    if (known !== undefined && known !== text) throw new Error(`two schemas have the title ${name}`);
    this.#schemas.set(name, text);
    return { $ref: `#/components/schemas/${name}` };
  }

  #convert(schema: Json): Json {
    const entries = Object.entries(schema)
      .filter(([keyword, value]) => !privateKeywords.has(keyword) && value !== undefined)
      .map(([keyword, value]) => [keyword, this.#convertKeyword(keyword, value)] as const);
    return Object.fromEntries(entries);
  }

  #convertKeyword(keyword: string, value: unknown): unknown {
    if (schemaMaps.has(keyword))
      return Object.fromEntries(
        Object.entries(value as Record<string, object>).map(([name, each]) => [name, this.schema(each)]),
      );
    if (schemaLists.has(keyword)) return (value as readonly object[]).map((each) => this.schema(each));
    if (schemaKeywords.has(keyword) && typeof value === 'object' && value !== null) return this.schema(value);
    return value;
  }
}

function freeName(wanted: readonly string[], taken: object): string {
  const numbered = Array.from({ length: 100 }, (_, number) => `${wanted.at(-1)}.${number + 2}`);
  return [...wanted, ...numbered].find((name) => !(name in taken)) as string;
}

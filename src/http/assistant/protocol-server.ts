/**
 * The Model Context Protocol, by the library of its authors, which is loaded before the server listens, or with the first client. One server is made for
 * each request, or for each connection over standard input, with what its caller may use.
 */
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { TObject } from 'typebox';
import type { Caller } from '../../model/account/account.ts';
import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { guides, instructions } from './guides.ts';
import { jsonSchemaValidator } from './json-schema-validator.ts';
import { prompts } from './prompts.ts';
import { type ResourceContent, type ResourceNeeds, Resources } from './resources.ts';
import { type CallContext, type RunToolNeeds, ToolRunner } from './run-tool.ts';
import type { Tool } from './tool.ts';
import { allTools, type ToolNeeds, toolsFor } from './tools/all-tools.ts';

export type AssistantNeeds = Omit<ToolNeeds, 'positions'> &
  ResourceNeeds &
  RunToolNeeds & { readonly clock: Clock; readonly settings: Settings; readonly version: string };

/** Who is connected. */
export interface Connected {
  readonly caller: Caller;
  readonly client: { readonly ip: string };
  /** What the client calls itself outside the protocol, such as in a header. */
  readonly agent: string;
}

type Library = typeof import('@modelcontextprotocol/server');

/** Nothing of what is listed changes while a client is connected; it depends on the key. */
const listTtlMs = 300_000;
const unchanging = { listChanged: false };

export class ProtocolServers {
  readonly #needs: AssistantNeeds;
  readonly #tools: readonly Tool[];
  readonly #runner: ToolRunner;
  readonly #resources: Resources;
  readonly #schemas = new WeakMap<TObject, ReturnType<Library['fromJsonSchema']>>();

  constructor(needs: AssistantNeeds & Pick<ToolNeeds, 'positions'>) {
    this.#needs = needs;
    this.#tools = allTools(needs);
    this.#runner = new ToolRunner(needs);
    this.#resources = new Resources(needs);
  }

  get toolNames(): readonly string[] {
    return this.#tools.map(({ name }) => name);
  }

  make(library: Library, connected: Connected): McpServer {
    const { version, settings, clock } = this.#needs;
    const cacheHint = { ttlMs: listTtlMs, cacheScope: 'private' } as const;
    const server = new library.McpServer(
      { name: 'nameglass', title: 'Nameglass', version },
      {
        instructions,
        capabilities: { tools: unchanging, prompts: unchanging, resources: unchanging, completions: {} },
        cacheHints: {
          'tools/list': cacheHint,
          'prompts/list': cacheHint,
          'resources/list': cacheHint,
          'resources/templates/list': cacheHint,
          'server/discover': cacheHint,
        },
      },
    );
    for (const tool of toolsFor(this.#tools, connected.caller, settings, clock.now()))
      this.#addTool(server, tool, library, connected);
    this.#addPrompts(server, library);
    this.#addResources(server, library, connected);
    return server;
  }

  #addTool(server: McpServer, tool: Tool, library: Library, connected: Connected): void {
    const { name, title, description, input, writes = false, destructive = false } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: this.#schemaOf(input, library),
        annotations: {
          title,
          readOnlyHint: !writes,
          destructiveHint: destructive,
          idempotentHint: !writes || name === 'triage',
          openWorldHint: false,
        },
      },
      async (given, context) =>
        (await this.#runner.run(tool, given as object, this.#contextOf(context, connected))) as never,
    );
  }

  #addPrompts(server: McpServer, library: Library): void {
    for (const { name, title, description, input, text } of prompts) {
      const schema = this.#schemaOf(input, library);
      server.registerPrompt(name, { title, description, argsSchema: schema }, (given) => ({
        messages: [{ role: 'user', content: { type: 'text', text: text(given as Record<string, string>) } }],
      }));
    }
  }

  #addResources(server: McpServer, library: Library, connected: Connected): void {
    const { ResourceTemplate, ResourceNotFoundError } = library;
    const resources = this.#resources;
    for (const { name, title, text } of guides) {
      const uri = `nameglass://docs/${name}`;
      server.registerResource(`docs-${name}`, uri, { title, mimeType: 'text/markdown' }, () => ({
        contents: [{ uri, mimeType: 'text/markdown', text: text() }],
      }));
    }
    const read =
      (variable: string, reader: (value: string, context: CallContext) => Promise<ResourceContent>) =>
      async (uri: URL, variables: Readonly<Record<string, string | string[]>>, context: ServerContext) => {
        const value = decodeURIComponent(String(variables[variable] ?? ''));
        const call = this.#contextOf(context, connected);
        try {
          const content = await this.#runner.bounded(call, (signal) => reader(value, { ...call, signal }));
          return { contents: [{ uri: uri.href, ...content }] };
        } catch (error) {
          throw new ResourceNotFoundError(uri.href, this.#runner.sentenceOf(error));
        }
      };
    const complete = { name: (text: string) => resources.completeDomain(text) };
    server.registerResource(
      'domain',
      new ResourceTemplate('nameglass://domain/{name}', { list: undefined, complete }),
      { title: 'Dossier of a domain', mimeType: 'text/plain' },
      read('name', (name, context) => resources.readDomain(name, context)),
    );
    server.registerResource(
      'screenshot',
      new ResourceTemplate('nameglass://screenshot/{name}', { list: undefined, complete }),
      { title: 'Newest screenshot of a domain, at most 512 pixels wide', mimeType: 'image/png' },
      read('name', (name, context) => resources.readScreenshot(name, context)),
    );
    const list = async () => ({
      resources: await resources.listMonitors(connected.caller, this.#needs.clock.now()),
    });
    server.registerResource(
      'monitor',
      new ResourceTemplate('nameglass://monitor/{id}', { list }),
      { title: 'A monitor and what it found', mimeType: 'application/json' },
      read('id', (id, context) => resources.readMonitor(id, context)),
    );
  }

  /** Made once for each schema, because a server is made for each request. */
  #schemaOf(input: TObject, { fromJsonSchema }: Library): ReturnType<Library['fromJsonSchema']> {
    const known = this.#schemas.get(input);
    if (known) return known;
    const made = fromJsonSchema(input as never, jsonSchemaValidator as never);
    this.#schemas.set(input, made);
    return made;
  }

  #contextOf({ mcpReq }: ServerContext, { caller, client, agent }: Connected): CallContext {
    const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const named = envelope?.['io.modelcontextprotocol/clientInfo'] as { name?: unknown } | undefined;
    return {
      caller,
      client,
      agent: typeof named?.name === 'string' ? named.name : agent,
      nowMs: this.#needs.clock.now(),
      signal: mcpReq.signal,
    };
  }
}

/** The OpenAPI description of everything that is not hidden, built from the schemas of the routes when it is first requested. */
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import { Components, type Json } from './components.ts';
import { type DescribedOperation, describeRoute, type Examples } from './describe-operation.ts';
import { errorResponses } from './error-responses.ts';
import type { DescribedRoute } from './route-description.ts';

export interface DescriptionOptions {
  readonly version: string;
  /** Where clients reach this server, mount prefix included. */
  readonly serverUrl: string;
  readonly supportUrl: string;
  readonly examples: Examples;
}

/** In slices: there are a hundred operations. */
export async function describeApi(
  routes: readonly DescribedRoute[],
  options: DescriptionOptions,
): Promise<Json> {
  const components = new Components();
  const operations: DescribedOperation[] = [];
  for (const [index, route] of routes.entries()) {
    operations.push(...describeRoute(route, components, options.examples));
    if (index % routesPerSlice === 0) await yieldToEventLoop();
  }
  const responses = { ...components.responses(), ...errorResponses(components) };
  const { byText, shared } = components.resolveParameters();
  const paths: Record<string, Record<string, Json>> = {};
  for (const { path, method, parameters, operation } of operations) {
    const listed = parameters.map((text) => byText.get(text) as Json);
    (paths[path] ??= {})[method] = listed.length === 0 ? operation : { parameters: listed, ...operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Nameglass',
      version: options.version,
      description: 'Domain intelligence: platform, batch channel download and passive DNS.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Nameglass', url: options.supportUrl },
    },
    servers: [{ url: options.serverUrl }],
    tags,
    paths,
    components: {
      schemas: components.schemas(),
      parameters: shared,
      responses,
      examples: components.examples(),
      securitySchemes,
    },
  };
}

const routesPerSlice = 10;

const tags = [
  { name: 'Account', description: 'Provisioned products, usage and API keys' },
  { name: 'Detect', description: 'Monitors, discovered domains, triage, escalations' },
  { name: 'Campaigns', description: 'Domains of the lists that belong together, followed over time' },
  { name: 'Enrich', description: 'Records of domains' },
  { name: 'Investigate', description: 'Pivot searches' },
  { name: 'Evidence', description: 'Signed packs of what was seen, and what became of them' },
  { name: 'Feeds', description: 'Streams of domain and address data' },
  { name: 'Screenshots', description: 'Pictures of web sites' },
  { name: 'Batch', description: 'Channel download. The key is the member `apikey` of the body.' },
  { name: 'Passive DNS', description: 'Lookups, summaries, quotas' },
];

const securitySchemes = {
  header: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description:
      'The API key, for the platform and passive DNS. The platform also accepts requests that are signed with it (HMAC): see its documentation.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'API username and key' },
};

/**
 * An investigation as a file, to be kept or given to another server (docs/web.md has its description). Version 1 has no sharing, and who wrote
 * what is for information: what is imported belongs to the person who imports it.
 */
import { Ajv, type ErrorObject } from 'ajv';
import { type Static, Type } from 'typebox';
import { mapInSlices } from '../../../concurrency/map-in-slices.ts';
import { newId } from '../../../model/account/api-key.ts';
import {
  type Investigation,
  investigationLimits,
  type SearchCount,
  type SearchNode,
} from '../../../model/investigation/investigation.ts';
import { findJsonExcess } from '../../../model/json-bounds.ts';
import { fieldProblem, Problem } from '../../../model/problem.ts';
import type { NewContent } from '../../../product/investigations/investigations.ts';
import type { NewItem, NewNode } from '../../../store/desk/investigation-store.ts';
import { SearchQuery } from '../search/search-wire.ts';
import { lineText, noteText, readItem } from './investigation-texts.ts';
import { NewItem as ItemBody } from './investigation-wire.ts';
import { type Asker, type QueryNeeds, readQuery } from './query-search.ts';

const format = 'nameglass-investigation';
const { nameCharacters, noteCharacters, nodes, items } = investigationLimits;

const FileCount = Type.Object(
  {
    domains: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    average_risk: Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 100 }),
    at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' }),
  },
  { additionalProperties: false },
);

const FileSearch = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 40 }),
    parent: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    query: SearchQuery,
    note: Type.Optional(Type.String({ maxLength: noteCharacters })),
    star: Type.Optional(Type.Boolean()),
    count: Type.Optional(FileCount),
    by: Type.Optional(Type.String()),
    at: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const FileFinding = Type.Object(
  { ...ItemBody.properties, by: Type.Optional(Type.String()), at: Type.Optional(Type.String()) },
  { additionalProperties: false },
);

const InvestigationFile = Type.Object(
  {
    format: Type.Literal(format),
    version: Type.Literal(1),
    exported_at: Type.Optional(Type.String()),
    name: Type.String({ minLength: 1, maxLength: nameCharacters }),
    note: Type.Optional(Type.String({ maxLength: noteCharacters })),
    searches: Type.Array(FileSearch, { maxItems: nodes }),
    findings: Type.Array(FileFinding, { maxItems: items }),
  },
  { additionalProperties: false },
);
type InvestigationFile = Static<typeof InvestigationFile>;

export function fileOf(investigation: Investigation, nowMs: number): string {
  const file: InvestigationFile = {
    format,
    version: 1,
    exported_at: new Date(nowMs).toISOString(),
    name: investigation.name,
    note: investigation.note,
    searches: investigation.nodes.map(searchInFile),
    findings: investigation.items.map(({ kind, value, note, by, atMs }) => ({
      kind,
      value,
      ...(note === '' ? {} : { note }),
      by,
      at: new Date(atMs).toISOString(),
    })),
  };
  return `${JSON.stringify(file)}\n`;
}

function searchInFile({ id, parentId, query, note, star, countThen, by, atMs }: SearchNode) {
  return {
    id,
    ...(parentId === undefined ? {} : { parent: parentId }),
    query: query as Static<typeof SearchQuery>,
    ...(note === '' ? {} : { note }),
    ...(star ? { star } : {}),
    ...(countThen ? { count: countInFile(countThen) } : {}),
    by,
    at: new Date(atMs).toISOString(),
  };
}

function countInFile({ domains, averageRisk, atMs }: SearchCount): Static<typeof FileCount> {
  return { domains, average_risk: averageRisk ?? null, at: new Date(atMs).toISOString() };
}

/** An investigation within its bounds has fewer. */
const valuesMax = 30_000;
const ajv = new Ajv({ strict: false });
let validate: ReturnType<typeof ajv.compile<InvestigationFile>> | undefined;

/** Throws `invalid-parameters` with what is wrong and where. */
export async function readInvestigationFile(
  text: string,
  asker: Asker,
  needs: QueryNeeds,
): Promise<NewContent> {
  const file = parseFile(text);
  const ids = new Map<string, string>();
  const indexed = file.searches.map((search, index) => ({ search, index }));
  const nodeList = await mapInSlices(indexed, ({ search, index }) => {
    const node = readSearch(search, `searches[${index}]`, ids, asker.nowMs);
    atField(`searches[${index}].query`, () => readQuery(node.query, asker, needs));
    return node;
  });
  const itemList = file.findings.map((finding, index): NewItem => readItem(finding, `findings[${index}]`));
  return {
    name: lineText('name', file.name),
    note: noteText(file.note ?? ''),
    sharing: 'private',
    nodes: nodeList,
    items: itemList,
  };
}

function parseFile(text: string): InvestigationFile {
  const excess = findJsonExcess(text, valuesMax);
  if (excess !== undefined) throw new Problem('malformed-request', `The file ${excess}.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Problem('malformed-request', 'The file is not JSON.');
  }
  validate ??= ajv.compile<InvestigationFile>(InvestigationFile);
  if (!validate(parsed)) throw faultOf(validate.errors?.[0]);
  return parsed as InvestigationFile;
}

/** `/searches/3/note` becomes `searches[3].note`. */
function faultOf(error: ErrorObject | undefined): Problem {
  const path = (error?.instancePath ?? '').slice(1);
  const field = path.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.') || 'file';
  const extra = error?.params['additionalProperty'] as string | undefined;
  const expected = error?.params['allowedValue'] as unknown;
  const detail = extra === undefined ? '' : ` ("${extra.slice(0, 40)}")`;
  const wanted = expected === undefined ? '' : ` ${JSON.stringify(expected)}`;
  return fieldProblem('invalid-parameters', field, `${error?.message ?? 'is not valid'}${wanted}${detail}`);
}

function readSearch(
  { id, parent, query, note = '', star = false, count }: Static<typeof FileSearch>,
  field: string,
  ids: Map<string, string>,
  nowMs: number,
): NewNode {
  if (ids.has(id)) throw fieldProblem('invalid-parameters', `${field}.id`, 'is the id of an earlier search');
  const parentId = parent === undefined || parent === null ? undefined : ids.get(parent);
  if (parent !== undefined && parent !== null && parentId === undefined)
    throw fieldProblem('invalid-parameters', `${field}.parent`, 'must be the id of an earlier search');
  const own = newId();
  ids.set(id, own);
  const countThen = count && {
    domains: count.domains,
    averageRisk: count.average_risk ?? undefined,
    // A file of a server whose clock is ahead.
    atMs: Math.min(Date.parse(count.at) || 0, nowMs),
  };
  return { id: own, parentId, query, note: noteText(note), star, countThen };
}

/** Says which search it is about. */
function atField(field: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw fieldProblem('invalid-parameters', field, error.message);
  }
}

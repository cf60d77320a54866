/** The body of a bulk request: a JSON object, or lines of which each is an object or just the path of a query. */
import { findJsonExcess } from '../../model/json-bounds.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';

export interface BulkQuery {
  /** Chosen by the client; by default its index, from 0. */
  readonly id: string;
  /** A path with its parameters, as it would follow `/pdns/v2/`. */
  readonly query: string;
}

const queriesMax = 1000;
const idCharactersMax = 100;
/** As much as a URL may have. */
const queryCharactersMax = 65_536;

/** Throws a problem that names the offending member, as `queries[3].query`. */
export function readBulkBody(body: Buffer): BulkQuery[] {
  const entries = queriesIn(body.toString('utf8'));
  if (entries.length === 0) throw fieldProblem('invalid-parameters', 'queries', 'must not be empty');
  if (entries.length > queriesMax) {
    throw fieldProblem('invalid-parameters', 'queries', `at most ${queriesMax} are allowed`);
  }
  const queries = entries.map(readEntry);
  const ids = new Set<string>();
  for (const [index, { id }] of queries.entries()) {
    if (ids.has(id)) throw fault(index, 'id', 'is used more than once');
    ids.add(id);
  }
  return queries;
}

function queriesIn(text: string): readonly unknown[] {
  const excess = findJsonExcess(text);
  if (excess !== undefined) throw new Problem('request-too-large', `the body ${excess}`);
  const document = parsed(text);
  if (document === undefined) return linesOf(text);
  const { queries } = (document ?? {}) as { queries?: unknown };
  if (queries === undefined) return [document];
  if (!Array.isArray(queries)) throw fieldProblem('invalid-parameters', 'queries', 'must be a list');
  return queries;
}

function linesOf(text: string): unknown[] {
  const lines = text.split('\n', queriesMax * 2).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line, index) => {
      if (!/^["{]/.test(line)) return line;
      const entry = parsed(line);
      if (entry === undefined) throw new Problem('invalid-parameters', `queries[${index}]: is not JSON`);
      return entry;
    });
}

function readEntry(entry: unknown, index: number): BulkQuery {
  if (typeof entry === 'string') return readEntry({ query: entry }, index);
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new Problem('invalid-parameters', `queries[${index}]: must be an object or the path of a query`);
  }
  const { id = String(index), query } = entry as { id?: unknown; query?: unknown };
  if (typeof query !== 'string') throw fault(index, 'query', 'must be the path of a query');
  if (query.length > queryCharactersMax) {
    throw fault(index, 'query', `may have ${queryCharactersMax} characters at most`);
  }
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) throw fault(index, 'id', 'must be a string');
  const name = String(id);
  if (name.length > idCharactersMax) {
    throw fault(index, 'id', `may have ${idCharactersMax} characters at most`);
  }
  return { id: name, query };
}

function fault(index: number, member: string, message: string): Problem {
  return fieldProblem('invalid-parameters', `queries[${index}].${member}`, message);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

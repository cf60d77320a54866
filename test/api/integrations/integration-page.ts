/**
 * A page of docs/integrations: requests of connectors, each a block of HTTP under a heading, and below it what comes back: the status, the
 * content type and the members that the connector reads.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { RecordedRequests } from '../../harness/server/recorded-requests.ts';

export interface ExpectedAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Such as `results[].domain`: every element of a list has the member. */
  readonly reads: readonly string[];
}

export interface IntegrationPage {
  readonly requests: RecordedRequests;
  readonly expected: ReadonlyMap<string, ExpectedAnswer>;
}

/** There may be a paragraph between heading and request. */
const example =
  /^### (?<name>.+)\n\n(?:[^`#]+\n\n)?```http\n(?<request>[^]*?)\n```\n\n(?<answer>Answer: [^]*?)\n\n/gm;
const answerForm = /^Answer: (?<status>\d{3}), `(?<type>[^`]+)`(?:; it reads (?<reads>[^]*))?\.$/;

export function readIntegrationPage(file: string): IntegrationPage {
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(example)].map(({ groups }) => groups as Record<string, string>);
  const blocks = text.split('```http').length - 1;
  assert.equal(found.length, blocks, `${file}: every request has a heading, and an answer below it`);
  return {
    requests: new RecordedRequests(new Map(found.map(({ name, request }) => [name ?? '', request ?? '']))),
    expected: new Map(
      found.map(({ name, answer }) => [name ?? '', answerOf(answer ?? '', `${file}: ${name}`)]),
    ),
  };
}

function answerOf(sentence: string, where: string): ExpectedAnswer {
  const groups = answerForm.exec(sentence)?.groups ?? assert.fail(`${where}: ${sentence}`);
  const reads = [...(groups['reads'] ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path as string);
  return { status: Number(groups['status']), contentType: groups['type'] as string, reads };
}

/** Fails unless the documents have the member: in lists each element, of which there is at least one. */
export function assertMember(documents: readonly unknown[], path: string): void {
  let held = documents;
  for (const step of path.split('.')) {
    const name = step.replace('[]', '');
    held = held.flatMap((value) => {
      assert.ok(
        typeof value === 'object' && value !== null && name in value,
        `${path}: no ${name} in ${JSON.stringify(value)?.slice(0, 300)}`,
      );
      const member = (value as Record<string, unknown>)[name];
      if (!step.endsWith('[]')) return [member];
      assert.ok(Array.isArray(member), `${path}: ${name} is no list`);
      return member as unknown[];
    });
    assert.ok(held.length > 0, `${path}: ${name} is empty`);
  }
}

/** One document, or one in each line; of a stream of passive DNS those that carry a record. */
export function documentsOf(text: string): readonly unknown[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter((line) => !('cond' in line));
}

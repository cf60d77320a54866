import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Type } from 'typebox';
import { type CallContext, ToolRunner } from '../../../src/http/assistant/run-tool.ts';
import { defineTool } from '../../../src/http/assistant/tool.ts';
import { Problem } from '../../../src/model/problem.ts';

const logged: unknown[] = [];

function runnerWith(assistant: {
  readonly callSecondsMax: number;
  readonly callsPerKeyMax: number;
}): ToolRunner {
  return new ToolRunner({
    accounts: { appendAudit: () => Promise.reject(new Error('not expected')) },
    settings: { assistant: { enabled: true, writeTools: false, answerBytesMax: 16_384, ...assistant } },
    logger: { error: (fields: unknown) => void logged.push(fields), debug: () => undefined } as never,
  });
}

const contextOf = (id: string, signal = new AbortController().signal): CallContext => ({
  caller: { user: { id }, account: {} } as CallContext['caller'],
  nowMs: 0,
  signal,
  client: { ip: '192.0.2.1' },
  agent: 'test',
});

const toolOf = (call: () => Promise<{ data: object }>) =>
  defineTool({
    name: 'test',
    title: 'Test',
    description: 'test',
    input: Type.Object({}),
    products: [],
    permission: 'read',
    call,
  });

const sentenceOf = ({ content: [first] }: Awaited<ReturnType<ToolRunner['run']>>) =>
  first?.type === 'text' ? first.text : '';

test('a call that takes too long is answered with a sentence that says what to do', async () => {
  const runner = runnerWith({ callSecondsMax: 0.01, callsPerKeyMax: 4 });
  const result = await runner.run(
    toolOf(() => new Promise(() => undefined)),
    {},
    contextOf('a'),
  );
  assert.equal(result.isError, true);
  assert.match(sentenceOf(result), /took more than 0\.01 seconds\. Ask for less/);
});

test('four calls of a key run at once, the fifth waits, and other keys do not', async () => {
  const runner = runnerWith({ callSecondsMax: 30, callsPerKeyMax: 4 });
  const running: (() => void)[] = [];
  const tool = toolOf(() => new Promise((resolve) => void running.push(() => resolve({ data: {} }))));
  const calls = Array.from({ length: 5 }, () => runner.run(tool, {}, contextOf('a')));
  await yieldToEventLoop();
  assert.equal(running.length, 4);
  const other = runner.run(tool, {}, contextOf('b'));
  await yieldToEventLoop();
  assert.equal(running.length, 5);
  for (const end of running.splice(0)) end();
  await other;
  await yieldToEventLoop();
  for (const end of running) end();
  assert.ok((await Promise.all(calls)).every(({ isError }) => isError === undefined));
});

test('an expected failure is its sentence, cleaned', async () => {
  const runner = runnerWith({ callSecondsMax: 30, callsPerKeyMax: 4 });
  const tool = toolOf(() => Promise.reject(new Problem('not-found', 'There is\u202e no such\nmonitor.')));
  assert.equal(sentenceOf(await runner.run(tool, {}, contextOf('a'))), 'There is no such monitor.');
});

test('a failure of ours is logged, and its text stays here', async () => {
  const runner = runnerWith({ callSecondsMax: 30, callsPerKeyMax: 4 });
  const tool = toolOf(() => Promise.reject(new Error('secret detail')));
  const sentence = sentenceOf(await runner.run(tool, {}, contextOf('a')));
  assert.equal(sentence, 'An unexpected error occurred.');
  assert.equal(logged.length, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsOf } from '../../src/http/platform/tail-events.ts';

test('a record is an event with its id, and silence is broken by a comment', async () => {
  const batches = [
    [
      { text: '{"a":1}', end: 8 },
      { text: '{"b":2}', end: 16 },
    ],
    [],
    [{ text: '{}', end: 19 }],
  ];
  async function* scan() {
    yield* batches;
  }
  const read = async (silentMs: number) => {
    let text = '';
    for await (const piece of eventsOf(scan(), silentMs)) text += Buffer.from(piece).toString();
    return text;
  };
  const events = ['id: 8\ndata: {"a":1}\n\nid: 16\ndata: {"b":2}\n\n', 'id: 19\ndata: {}\n\n'];
  assert.equal(await read(60_000), `: alive\n\n${events.join('')}`);
  assert.equal(await read(0), `: alive\n\n${events.join(': alive\n\n')}`);
});

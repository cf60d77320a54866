import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsOf } from '../../../../src/http/platform/event-stream/server-sent-events.ts';

test('each record is an event with its id, and a comment is sent while there are no records', async () => {
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
  const read = async (keepAliveMs: number) => {
    let text = '';
    for await (const chunk of eventsOf(scan(), keepAliveMs)) text += Buffer.from(chunk).toString();
    return text;
  };
  const events = ['id: 8\ndata: {"a":1}\n\nid: 16\ndata: {"b":2}\n\n', 'id: 19\ndata: {}\n\n'];
  assert.equal(await read(60_000), `: alive\n\n${events.join('')}`);
  assert.equal(await read(0), `: alive\n\n${events.join(': alive\n\n')}`);
});

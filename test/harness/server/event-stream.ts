/** Server-sent events on a real connection. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

interface Event {
  readonly id: string;
  readonly data: Record<string, unknown>;
}

export class EventStreamClient {
  readonly answer: IncomingMessage;
  text = '';
  ended = false;

  constructor(answer: IncomingMessage) {
    this.answer = answer;
    answer.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    answer.on('end', () => (this.ended = true));
  }

  get events(): Event[] {
    return [...this.text.matchAll(/^id: (.*)\ndata: (.*)\n\n/gm)].map(([, id, data]) => ({
      id: id as string,
      data: JSON.parse(data as string) as Record<string, unknown>,
    }));
  }

  get names(): unknown[] {
    return this.events.map(({ data }) => data['domain']);
  }

  async until(condition: () => boolean): Promise<void> {
    for (let tries = 0; !condition(); tries += 1) {
      assert.ok(tries < 1000, `the condition did not hold in time; received: ${this.text}`);
      await pause(10);
    }
  }
}

/** Resolves when the stream has started: everything from now on is delivered. */
export async function startedStream(answer: IncomingMessage): Promise<EventStreamClient> {
  const live = new EventStreamClient(answer);
  await live.until(() => live.text !== '');
  return live;
}

/** Server-sent events on a real connection. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

interface Event {
  readonly id: string;
  readonly data: Record<string, unknown>;
}

export class LiveAnswer {
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
      assert.ok(tries < 1000, `waited in vain; came: ${this.text}`);
      await pause(10);
    }
  }
}

/** Has begun when this resolves: what happens from now on comes. */
export async function begun(answer: IncomingMessage): Promise<LiveAnswer> {
  const live = new LiveAnswer(answer);
  await live.until(() => live.text !== '');
  return live;
}

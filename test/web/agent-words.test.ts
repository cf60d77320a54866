import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentWords } from '../../web/src/pages/me/agent-words.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const known = {
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/150.0.0.0 Safari/537.36`]: 'Chrome 150 on Linux',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/149.0.0.0 Safari/537.36 Edg/149.0.0.0`]:
    'Edge 149 on Windows',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0':
    'Firefox 145 on macOS',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1':
    'Safari 19 on iPhone',
};

test('browser and system are read from what a browser sends about itself', () => {
  for (const [agent, words] of Object.entries(known)) assert.equal(agentWords(agent), words);
});

test('of a program that is no browser nothing is guessed', () => {
  assert.equal(agentWords('curl/8.5.0'), undefined);
});

/** Gathers all answers, in the order of the questions. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Answers,
  parseOwnDomains,
  parsePort,
  parsePublicUrl,
  parseTerms,
  parseUsername,
  suggestedUsername,
} from './answers.ts';
import { answerFinder, type GatherNeeds } from './find-answer.ts';
import { gatherMail } from './gather-mail.ts';
import { gatherSources } from './gather-sources.ts';

export async function gatherAnswers(needs: GatherNeeds): Promise<Answers> {
  const { settings, directory, heading } = needs;
  const find = answerFinder(needs);
  heading('What to protect');
  const terms = await find('protect', {
    text: 'Brand names, separated by commas',
    fallback: '',
    parse: parseTerms,
  });
  const ownDomains = await find('own', {
    text: 'Your own domains, which are never reported',
    fallback: '',
    parse: parseOwnDomains,
  });
  heading('Public sources');
  const sources = await gatherSources(needs, find);
  heading('Mail, for sign-in links and alerts');
  const mail = await gatherMail(needs, find);
  heading('The server');
  const data = await find('data', {
    text: 'Data directory',
    fallback: settings.data === './data' ? join(directory, 'data') : settings.data,
    parse: (text) => resolve(text),
  });
  const { http } = settings;
  const host = await find('host', { text: 'Address to listen on', fallback: http.host, parse: String });
  const port = await find('port', { text: 'Port', fallback: String(http.port), parse: parsePort });
  const publicUrl = await find('publicUrl', {
    text: 'Public URL, if a proxy is in front',
    fallback: http.publicUrl,
    parse: parsePublicUrl,
  });
  const username = existsSync(join(data, 'accounts.db'))
    ? ''
    : await find('username', {
        text: 'First user, with all permissions',
        fallback: suggestedUsername(),
        parse: parseUsername,
      });
  return { terms, ownDomains, ...sources, mail, data, host, port, publicUrl, username };
}

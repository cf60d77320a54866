/** How mail is sent. */
import { hostname } from 'node:os';
import {
  type MailAnswers,
  parseMailAddress,
  parsePort,
  parseSecurity,
  readPassword,
  usualMailPort,
} from './answers.ts';
import type { FindAnswer, GatherNeeds } from './find-answer.ts';

/** Undefined without a server. */
export async function gatherMail(
  { flags, questions, settings }: GatherNeeds,
  find: FindAnswer,
): Promise<MailAnswers | undefined> {
  const host = await find('mailHost', { text: 'SMTP server', fallback: settings.mail.host, parse: String });
  if (host === '') return undefined;
  const security = await find('mailSecurity', {
    text: 'Encryption: starttls, tls or none',
    fallback: 'starttls',
    parse: parseSecurity,
  });
  const port = await find('mailPort', {
    text: 'Port',
    fallback: String(usualMailPort(security)),
    parse: parsePort,
  });
  const username = await find('mailUser', { text: 'User name', fallback: '', parse: String });
  const file = flags.mailPasswordFile;
  const password =
    username === ''
      ? ''
      : file === undefined
        ? ((await questions?.askSecret('Password')) ?? '')
        : readPassword(file);
  const from = await find('mailFrom', {
    text: 'Sender',
    fallback: `nameglass@${hostname()}`,
    parse: parseMailAddress,
  });
  const alertsTo = await find('alertsTo', {
    text: 'Daily digest of what was found, to',
    fallback: '',
    parse: parseMailAddress,
  });
  return { server: { host, port, security, username, password, from }, alertsTo };
}

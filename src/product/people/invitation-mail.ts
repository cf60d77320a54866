/** The mail with which a person is invited: plain words and the link that signs in once. */
import { randomUUID } from 'node:crypto';
import { secondMs } from '../../model/durations.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { mailSender } from '../../outgoing/send-mail.ts';

export interface Invitation {
  readonly to: string;
  /** Who invites; names of people have no characters that mean anything in HTML. */
  readonly from: string;
  readonly account: string;
  readonly url: string;
  readonly expiresMs: number;
}

const timeoutMs = 10 * secondMs;

/** Throws the Problem `unavailable` where the mail server did not accept it. */
export async function mailInvitation(
  { to, from, account, url, expiresMs }: Invitation,
  settings: Pick<Settings, 'mail'>,
): Promise<void> {
  const until = `${new Date(expiresMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const lines = [
    `${from} invites you to the account ${account} of Nameglass.`,
    `This link signs you in once, until ${until}. Then you choose a passkey or a password.`,
    'Anybody who has the link can use it: do not pass it on.',
  ];
  await mailSender({ settings, timeoutMs })({
    to,
    subject: `Nameglass: invitation to ${account}`,
    text: `${[...lines.slice(0, 2), url, ...lines.slice(2)].join('\n\n')}\n`,
    html: `<p>${lines[0]}</p><p>${lines[1]}</p><p><a href="${url}">${url}</a></p><p>${lines[2]}</p>`,
    id: randomUUID(),
  });
}

/** Whether a mail server takes our mail, before it is relied on. */
import { Problem } from '../../../model/problem.ts';
import { type MailNeeds, verifyMailServer } from '../../../outgoing/send-mail.ts';

/** Undefined where it accepts the connection, the encryption and the credentials; else what is wrong. */
export async function checkMailServer(needs: MailNeeds): Promise<string | undefined> {
  try {
    await verifyMailServer(needs);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.message;
  }
}

/** Ends a response that lasts, such as a stream of events, when its session ends or its person may no longer read it. */
import { type Permission, permits } from '../../model/account/permission.ts';
import { findSignedInAgain, type SessionNeeds } from '../../product/people/sessions.ts';
import type { WebCaller } from './web-operation.ts';

const pollMs = 500;

/** Polls the session and calls `onLost` when it is gone. Returns a function that stops polling. */
export function watchSession(
  caller: WebCaller,
  permission: Permission,
  needs: SessionNeeds,
  onLost: () => void,
): () => void {
  const poll = async () => {
    try {
      const found = await findSignedInAgain(caller, needs);
      if (!found || !permits(found.user.permissions, permission)) onLost();
    } catch {
      // Fail closed: a session that cannot be checked is treated as ended.
      onLost();
    }
  };
  const timer = setInterval(() => void poll(), pollMs).unref();
  return () => clearInterval(timer);
}

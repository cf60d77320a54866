/**
 * Whether signing in is needed while the app is open: the session has ended, or what was asked for needs a recent sign-in. The page stays as
 * it is below a dialog.
 */
import { createStore } from './store.ts';

export type SignInNeed = 'ended' | 'recent' | undefined;

const need = createStore<SignInNeed>(undefined);
let waiting: { promise: Promise<void>; resolve: () => void } | undefined;

export const session = {
  need,
  /** Resolves when the person has signed in again. */
  signInNeeded(why: 'ended' | 'recent'): Promise<void> {
    waiting ??= Promise.withResolvers<void>();
    need.set(why);
    return waiting.promise;
  },
  restore(): void {
    need.set(undefined);
    waiting?.resolve();
    waiting = undefined;
  },
};

/** Short messages about what has just happened, with the one thing that can be done about it. */
import type { ReactNode } from 'react';
import { createStore } from './store.ts';

export interface Toast {
  readonly id: number;
  readonly text: ReactNode;
  readonly bad?: boolean;
  readonly action?: { readonly label: string; readonly key?: string; readonly run: () => void };
}

const shownMs = 8000;
const shownMax = 3;
export const toasts = createStore<readonly Toast[]>([]);
let next = 1;

export function dismissToast(id: number): void {
  toasts.set((before) => before.filter((toast) => toast.id !== id));
}

/** Failures stay until they are dismissed. */
export function showToast(toast: Omit<Toast, 'id'>): number {
  const id = next;
  next += 1;
  toasts.set((before) =>
    [...before.filter((one) => one.bad || toast.bad), { ...toast, id }].slice(-shownMax),
  );
  if (!toast.bad) setTimeout(() => dismissToast(id), shownMs);
  return id;
}

import { useEffect, useRef } from 'react';
import { type KeyBinding, KeyRegistry } from './key-registry.ts';

export const keyRegistry = new KeyRegistry();

/** Registers what the keyboard does while the component is there; always with its newest functions. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const newest = useRef(bindings);
  newest.current = bindings;
  useEffect(() => keyRegistry.add(() => newest.current), []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]');

/** A focused button has Enter and Space to itself. */
const isOwnKey = ({ key, target }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') &&
  target instanceof Element &&
  target.closest('button, a, summary, [role=tab]') !== null;

export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isOwnKey(event)) return;
    // A modal dialog has the keyboard to itself.
    if (document.querySelector('dialog:modal') !== null) return;
    const binding = keyRegistry.find(event, isTyping(event.target));
    if (!binding) return;
    event.preventDefault();
    binding.run();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

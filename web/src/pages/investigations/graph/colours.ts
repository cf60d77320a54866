/** The colours of the graph, as the style sheet has them in this theme: read from the legend, since a canvas knows no variables. */

export interface Colours {
  readonly ink: string;
  readonly paper: string;
  readonly line: string;
  readonly selected: string;
  /** By kind of value, and of domains by their level of risk. */
  readonly kinds: Readonly<Record<string, string>>;
}

export function coloursIn(legend: HTMLElement): Colours {
  const entries = [...legend.querySelectorAll<HTMLElement>('[data-colour]')].map(
    (element) => [element.dataset['colour'] ?? '', getComputedStyle(element).color] as const,
  );
  const { ink = '', line = '', selected = '', ...kinds } = Object.fromEntries(entries);
  return { ink, line, selected, kinds, paper: getComputedStyle(legend).backgroundColor };
}

/** Calls back when the theme changes, by the person or by the system. */
export function watchTheme(onChange: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  media.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    media.removeEventListener('change', onChange);
  };
}

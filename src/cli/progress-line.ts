/** A status line on the terminal that overwrites itself. In a pipe nothing is shown. */
const intervalMs = 200;

export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

export function progressLine(): ProgressLine {
  const { stderr } = process;
  if (!stderr.isTTY) return { show: () => undefined, clear: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (text) => {
      if (performance.now() - shownAt < intervalMs) return;
      shownAt = performance.now();
      stderr.write(`\r\u001b[K${text}`);
    },
    clear: () => {
      shownAt = Number.NEGATIVE_INFINITY;
      stderr.write('\r\u001b[K');
    },
  };
}

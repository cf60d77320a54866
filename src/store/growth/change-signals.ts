/** Signals that something has grown, on any node: who waits for it need not ask often. */
export interface ChangeSignals {
  /**
   * Calls the listener with the name of what has grown, such as a stream or an account; with an empty name where signals may have been missed.
   * Returns what removes it.
   */
  listen(listener: (name: string) => void): () => void;

  /** False while signals are missed, as when the connection is lost: then only asking helps. */
  isConnected(): boolean;
}

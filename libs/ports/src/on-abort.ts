/** What is called when a signal aborts. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal aborts, unless the returned function was called before. Does nothing where the signal has aborted
 * already. A signal gets one listener for all its callbacks, since Node warns of a leak at the eleventh.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const own = callbacks.get(signal) ?? listenTo(signal);
  own.add(callback);
  return () => void own.delete(callback);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const own = new Set<() => void>();
  callbacks.set(signal, own);
  signal.addEventListener('abort', () => own.forEach((each) => each()), { once: true });
  return own;
}

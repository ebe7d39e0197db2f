const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back once if the signal aborts later, unless cancelled. One listener serves all: Node warns of a leak at the eleventh. */
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

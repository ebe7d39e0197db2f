import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export interface Change {
  /** The kind of resource, as its `object` says. */
  readonly object: string;
  readonly id: string;
}

/** Null: anything may have changed, as after a gap or while polling. */
type Listener = (change: Change | null) => void;

const POLLING_EVERY_MS = 10_000;
const STREAM_AGAIN_AFTER_MS = 30_000;

export type Connection = 'live' | 'polling' | 'lost';
export const connection = signal<Connection>('polling');

const listeners = new Set<Listener>();
const tell: Listener = (change) => {
  for (const listener of listeners) listener(change);
};

/** Calls back for each change of these kinds of resources in the followed project, and when anything may have changed. */
export function useChanges(objects: readonly string[], onChange: Listener): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const listener: Listener = (change) => {
      if (change === null || objects.includes(change.object)) latest.current(change);
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [objects.join()]);
}

/** What the tab that holds the stream tells the others: how the connection is, and what changed, if anything did. */
interface Told {
  readonly connection: Connection;
  readonly change?: Change | null;
}

function hear({ connection: now, change }: Told): void {
  connection.value = now;
  if (change !== undefined) tell(change);
}

/**
 * Follows the changes of a project until the returned function is called. One tab of a browser holds the stream, since HTTP/1.1
 * has six connections, and tells the others; when it closes, another takes over. Each asks by itself while there is no stream.
 */
export function followProject(projectId: string): () => void {
  const name = `console-changes:${projectId}`;
  const channel = new BroadcastChannel(name);
  const ended = new AbortController();
  connection.value = 'polling';
  channel.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
  const polling = setInterval(() => {
    if (connection.value !== 'live') tell(null);
  }, POLLING_EVERY_MS);
  const lead = () =>
    holdStream(projectId, ended.signal, (told) => {
      channel.postMessage(told);
      hear(told);
    });
  if (navigator.locks) void navigator.locks.request(name, { signal: ended.signal }, lead).catch(() => undefined);
  else void lead();
  return () => {
    ended.abort();
    clearInterval(polling);
    channel.close();
  };
}

/** Settles once it is ended. The browser itself connects again after a loss; a refusal is tried again here. */
function holdStream(projectId: string, ended: AbortSignal, onTold: (told: Told) => void): Promise<void> {
  return new Promise((resolve) => {
    let stream: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const live = (change: Change | null) => onTold({ connection: 'live', change });
    const open = () => {
      stream = new EventSource(`/admin/v1/stream?project_id=${encodeURIComponent(projectId)}`);
      stream.onopen = () => live(null);
      stream.addEventListener('changed', ({ data }: MessageEvent<string>) => live(JSON.parse(data) as Change));
      stream.addEventListener('reset', () => live(null));
      stream.onerror = () => {
        if (stream?.readyState !== EventSource.CLOSED) return onTold({ connection: 'lost' });
        // What is asked now says why it was refused, as where the session has ended.
        onTold({ connection: 'polling', change: null });
        retry = setTimeout(open, STREAM_AGAIN_AFTER_MS);
      };
    };
    ended.addEventListener('abort', () => {
      clearTimeout(retry);
      stream?.close();
      resolve();
    });
    if (!ended.aborted) open();
  });
}

import { AgentFailed } from './agent.port.js';

/** Settles as `work` does, or rejects with `AgentFailed` on abort. The work's own signal keeps its listeners off the turn's signal. */
export function unlessGivenUp<T>(work: (own: () => AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  let own: AbortController | undefined;
  const ownSignal = () => {
    own ??= new AbortController();
    if (signal.aborted) own.abort();
    return own.signal;
  };
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(new AgentFailed('timeout', 'The turn was given up.'));
      own?.abort();
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work(ownSignal)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp));
  });
}

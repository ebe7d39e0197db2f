import { AgentFailed } from './agent.port.js';

/**
 * What `work` gives, or `AgentFailed` as soon as the signal aborts, whatever is still under way. The work gets a signal of
 * its own, so that nothing it leaves listening outlives the turn; it is made when it is asked for.
 */
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

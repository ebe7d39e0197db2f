import { AgentFailed } from './agent.port.js';

/**
 * What `work` gives, or `AgentFailed` as soon as the signal aborts, whatever is still under way. The work gets a signal of
 * its own, so that nothing it leaves listening outlives the turn.
 */
export function unlessGivenUp<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  const own = new AbortController();
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(new AgentFailed('timeout', 'The turn was given up.'));
      own.abort();
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work(own.signal)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp));
  });
}

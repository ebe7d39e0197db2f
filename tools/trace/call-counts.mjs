// Preloaded into a service: counts the function calls of its main thread, from the first request on.
import { Session } from 'node:inspector/promises';
import { isMainThread } from 'node:worker_threads';

const session = new Session();

/** V8 reports a module's top level as an unnamed function at offset 0, which does not count. */
const wasCalled = ({ functionName, ranges: [{ startOffset, count }] }) => count > 0 && (functionName !== '' || startOffset > 0);

async function startCounting() {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}

/** Scripts with calls since the last call of this function, which resets V8's counts. */
async function calledScripts() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .map(({ url, functions }) => ({ url, functions: functions.filter(wasCalled).map(({ functionName }) => functionName) }))
    .filter(({ url, functions }) => url.startsWith('file:') && functions.length > 0);
}

if (isMainThread) {
  let counting;
  const answer = async () => {
    await (counting ??= startCounting());
    process.send(await calledScripts());
  };
  process.on('message', () => void answer());
  process.channel.unref();
}

// Loaded into a service before its own code: counts the calls of its main thread, from when it is first asked for them.
import { Session } from 'node:inspector/promises';
import { isMainThread } from 'node:worker_threads';

const session = new Session();

/** What a module does while it is loaded is a function without a name that begins where the module begins. */
const wasCalled = ({ functionName, ranges: [{ startOffset, count }] }) => count > 0 && (functionName !== '' || startOffset > 0);

async function startCounting() {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}

/** Each script with a function that was called since the last question. V8 counts from zero again after each. */
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

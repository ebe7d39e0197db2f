import { FakeClock } from '@testing/fake-clock';
import { resolvePromptly } from './resolve-promptly.js';

it('a name whose turn at the system never came, and that no server knows, fails in time', async () => {
  const clock = new FakeClock();
  const resolve = resolvePromptly(
    () => new Promise(() => undefined),
    () => Promise.reject(new Error('unknown')),
    clock,
    15_000,
  );
  for (const name of ['stuck 1', 'stuck 2']) void resolve(name, 'prj_1').catch(() => undefined);
  const failures: unknown[] = [];
  void resolve('late', 'prj_1').catch((error: unknown) => failures.push(error));
  await clock.advance(15_000);
  expect(failures).toHaveLength(1);
});

import { Script, createContext } from 'node:vm';

const script = new Script('work()');
const nothing = (): undefined => undefined;
const context: { work: () => unknown } = { work: nothing };
createContext(context);

/** The result of synchronous work, or undefined after `ms`: it is terminated wherever it is, so it must be pure. Blocks the event loop. */
export function cutShort<T>(ms: number, work: () => T): T | undefined {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: ms }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    context.work = nothing;
  }
}

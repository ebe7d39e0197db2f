import { Script, createContext } from 'node:vm';

const script = new Script('work()');
const nothing = (): undefined => undefined;
const context: { work: () => unknown } = { work: nothing };
createContext(context);

/**
 * What the work comes to; undefined when it takes longer, and then it is cut short wherever it is, be it inside of Node: it
 * must be calculation alone. Others wait meanwhile.
 */
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

import { atFirstSignal } from '@platform/operations/end-of-process';

/** Loading takes longer than all the rest of a start: a signal meanwhile has nothing to end but this process. */
let end = (): void => process.exit(0);
atFirstSignal(() => end());

const { runGateway } = await import('./run-gateway.js');
await runGateway((inOrder) => (end = inOrder));

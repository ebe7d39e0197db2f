/** Arranges for `stop` to be called when it is time to give up, and returns what undoes that: `Clock.after` fits. */
export type GivingUp = (stop: () => void) => () => void;

/** Gives up when the signal aborts. */
export function onceAborted(signal: AbortSignal): GivingUp {
  return (stop) => {
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return () => signal.removeEventListener('abort', stop);
  };
}

export interface Registration {
  /** True at the first signal since the registration, false when it was cancelled or given up before. Never rejects. */
  readonly signalled: Promise<boolean>;
  /** Ends the registration; nothing happens where that is over. */
  cancel(): void;
}

interface Listener {
  readonly look: () => void;
  readonly cancel: () => void;
}

/**
 * Waiting for a condition that somebody else makes true and signals. Whoever looks for the condition registers first: a
 * signal between looking and waiting would be missed. Nothing is left behind of a wait that is over.
 */
export class Waiter {
  private readonly listeners = new Set<Listener>();

  /** How many wait. */
  get size(): number {
    return this.listeners.size;
  }

  register(givingUp: GivingUp = never): Registration {
    return this.listen(() => true, givingUp);
  }

  /**
   * True once `holds` does, which is asked now and at every signal, before `wake` returns; it must not throw. False when it is
   * given up before.
   */
  until(holds: () => boolean, givingUp: GivingUp = never): Promise<boolean> {
    return holds() ? Promise.resolve(true) : this.listen(holds, givingUp).signalled;
  }

  /** Signals that the condition may hold now. */
  wake(): void {
    for (const { look } of Array.from(this.listeners)) look();
  }

  /** Ends every wait: each resolves to false. */
  cancelAll(): void {
    for (const { cancel } of Array.from(this.listeners)) cancel();
  }

  private listen(isOver: () => boolean, givingUp: GivingUp): Registration {
    let cancel = (): void => undefined;
    const signalled = new Promise<boolean>((resolve) => {
      let undo = (): void => undefined;
      const settle = (outcome: boolean): void => {
        if (!this.listeners.delete(listener)) return;
        undo();
        resolve(outcome);
      };
      cancel = () => settle(false);
      const listener: Listener = { look: () => isOver() && settle(true), cancel };
      this.listeners.add(listener);
      undo = givingUp(cancel);
      // It may have called at once.
      if (!this.listeners.has(listener)) undo();
    });
    return { signalled, cancel: () => cancel() };
  }
}

/** A waiter for each key. A key nobody waits for takes no memory. */
export class KeyedWaiter {
  private readonly waiters = new Map<string, Waiter>();

  /** How many keys are waited for. */
  get size(): number {
    return this.waiters.size;
  }

  register(key: string, givingUp: GivingUp = never): Registration {
    const waiter = this.waiters.get(key) ?? new Waiter();
    this.waiters.set(key, waiter);
    return waiter.register((stop) => {
      const undo = givingUp(stop);
      return () => {
        undo();
        if (waiter.size === 0 && this.waiters.get(key) === waiter) this.waiters.delete(key);
      };
    });
  }

  wake(key: string): void {
    this.waiters.get(key)?.wake();
  }

  /** Ends every wait, whatever its key: each resolves to false. */
  cancelAll(): void {
    for (const waiter of Array.from(this.waiters.values())) waiter.cancelAll();
  }
}

const never: GivingUp = () => () => undefined;

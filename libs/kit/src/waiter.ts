/** Schedules a call of `stop`, and returns how to cancel it: `Clock.after` fits. */
export type GivingUp = (stop: () => void) => () => void;

export function onceAborted(signal: AbortSignal): GivingUp {
  return (stop) => {
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return () => signal.removeEventListener('abort', stop);
  };
}

export interface Registration {
  /** True at the first signal, false if cancelled or given up before. Never rejects. */
  readonly signalled: Promise<boolean>;
  cancel(): void;
}

interface Listener {
  readonly look: () => void;
  readonly cancel: () => void;
}

/** Waits for a condition that others make true. Register before checking it: a signal in between would be missed. */
export class Waiter {
  private readonly listeners = new Set<Listener>();

  get size(): number {
    return this.listeners.size;
  }

  register(givingUp: GivingUp = never): Registration {
    return this.listen(() => true, givingUp);
  }

  /** True once `holds` is, which is checked now and in every `wake`, and must not throw. False if given up before. */
  until(holds: () => boolean, givingUp: GivingUp = never): Promise<boolean> {
    return holds() ? Promise.resolve(true) : this.listen(holds, givingUp).signalled;
  }

  wake(): void {
    for (const { look } of Array.from(this.listeners)) look();
  }

  /** Ends every wait with false. */
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
      // `givingUp` may have called at once.
      if (!this.listeners.has(listener)) undo();
    });
    return { signalled, cancel: () => cancel() };
  }
}

/** A waiter per key. An unused key takes no memory. */
export class KeyedWaiter {
  private readonly waiters = new Map<string, Waiter>();

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

  cancelAll(): void {
    for (const waiter of Array.from(this.waiters.values())) waiter.cancelAll();
  }
}

const never: GivingUp = () => () => undefined;

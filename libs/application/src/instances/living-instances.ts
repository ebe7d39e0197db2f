/** What a process is started as. One that is everything at once is a gateway. */
export type InstanceRole = 'gateway' | 'projections' | 'delivery';

/** A process that serves, for as long as its lease. */
export interface LivingInstance {
  readonly id: string;
  readonly role: InstanceRole;
  /** Epoch milliseconds. */
  readonly leaseUntil: number;
}

/** Reads the text of `instancesText`, without those whose lease is over by now. */
export function livingInstances(text: string, now: number): readonly LivingInstance[] {
  return (JSON.parse(text) as LivingInstance[]).filter(({ leaseUntil }) => leaseUntil > now);
}

export function instancesText(instances: readonly LivingInstance[]): string {
  return JSON.stringify(instances);
}

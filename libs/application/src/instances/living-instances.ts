/** A process that does everything is a `gateway`. */
export type InstanceRole = 'gateway' | 'projections' | 'delivery';

/** What a process runs. */
export interface RunningProgram {
  readonly role: InstanceRole;
  /** The release. */
  readonly version: string;
}

/** A process that serves, for as long as its lease. */
export interface LivingInstance {
  readonly id: string;
  readonly role: InstanceRole;
  /** The release that it runs; absent where that is one that did not record it. */
  readonly version?: string;
  /** Epoch milliseconds. */
  readonly leaseUntil: number;
}

/**
 * Whether a process runs an older release than `version`, or one that recorded none. Releases that are not three numbers cannot be
 * compared, and count as the same.
 */
export function isOlder({ version }: LivingInstance, than: string): boolean {
  if (version === undefined) return true;
  const [one, other] = [numbersOf(version), numbersOf(than)];
  if (!one || !other) return false;
  const index = one.findIndex((number, place) => number !== other[place]);
  return index !== -1 && (one[index] ?? 0) < (other[index] ?? 0);
}

function numbersOf(version: string): readonly number[] | null {
  const numbers = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  return numbers && numbers.slice(1).map(Number);
}

/** Reads the text of `instancesText`, without expired leases. */
export function livingInstances(text: string, now: number): readonly LivingInstance[] {
  return (JSON.parse(text) as LivingInstance[]).filter(({ leaseUntil }) => leaseUntil > now);
}

export function instancesText(instances: readonly LivingInstance[]): string {
  return JSON.stringify(instances);
}

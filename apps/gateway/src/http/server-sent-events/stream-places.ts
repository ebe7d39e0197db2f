import type { Caller } from '@application/projects/caller';
import { DomainError } from '@domain/kernel/domain-error';

export interface PlaceLimits {
  readonly most: number;
  readonly mostOfOwner: number;
  readonly retryAfterSeconds: number;
  /** The message of the refusal. */
  readonly refusal?: string;
}

const TOO_MANY = 'Too many streams are open. Ask the lists instead for a while.';

/** Whose places a request takes: its project's, but an administrator takes none of the project's. */
export function placeOwner({ projectId, keyId }: Pick<Caller, 'projectId' | 'keyId'>): string {
  return keyId === null ? 'admin' : projectId;
}

/** Limits how many streams are open at once, in all and of one owner. */
export class StreamPlaces {
  private taken = 0;
  private readonly owners = new Map<string, number>();

  constructor(private readonly limits: PlaceLimits) {}

  /** Returns how to leave. Throws `service_unavailable`. */
  enter(owner: string): () => void {
    const own = this.owners.get(owner) ?? 0;
    const { most, mostOfOwner, retryAfterSeconds: retryAfter, refusal = TOO_MANY } = this.limits;
    if (this.taken >= most || own >= mostOfOwner) throw new DomainError('service_unavailable', refusal, { retryAfter });
    this.taken += 1;
    this.owners.set(owner, own + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.leave(owner);
    };
  }

  private leave(owner: string): void {
    this.taken -= 1;
    const left = (this.owners.get(owner) ?? 1) - 1;
    if (left > 0) this.owners.set(owner, left);
    else this.owners.delete(owner);
  }
}

import type { Clock } from '@ports/clock.port';

/** Bodies up to this cost little, whatever they hold. */
export const LIGHT_BODY_BYTES = 16 * 1024;
/** Commas, colons and brackets that may be read in a second: a fifth of the time of a usual core. */
const SIGNS_PER_SECOND = 200_000;
/** Bodies are kept as they came while they wait: 16 MiB. */
const MOST_WAITING = 64;

const IS_SIGN = new Uint8Array(256);
for (const sign of Buffer.from(',:[{')) IS_SIGN[sign] = 1;

interface Waiting {
  readonly weight: number;
  readonly go: () => boolean;
}

/**
 * What the bodies of one project may take of the process. To read a body costs what it holds, not its length: of 256 KiB
 * tens of milliseconds, in which nobody else is served.
 */
export class BodyShare {
  private readonly line: Waiting[] = [];
  private freeAt = 0;
  private waits = false;

  constructor(
    private readonly clock: Clock,
    /** At its end the process reads what it has taken. */
    private readonly isEnding: () => boolean,
  ) {}

  /** Calls `go` when the body may be read, which says whether it was; false where too many wait already. */
  enter(bytes: Buffer, go: () => boolean): boolean {
    if (bytes.length <= LIGHT_BODY_BYTES) go();
    else if (this.line.length >= MOST_WAITING) return false;
    else {
      this.line.push({ weight: signsIn(bytes), go });
      this.serve();
    }
    return true;
  }

  private serve(): void {
    while (!this.waits) {
      const now = this.clock.elapsed();
      if (this.freeAt > now && !this.isEnding()) return this.serveIn(this.freeAt - now);
      const next = this.line.shift();
      if (!next) return;
      if (next.go()) this.freeAt = Math.max(this.freeAt, now) + (next.weight / SIGNS_PER_SECOND) * 1_000;
    }
  }

  private serveIn(ms: number): void {
    if (this.line.length === 0) return;
    this.waits = true;
    this.clock.after(Math.ceil(ms), () => {
      this.waits = false;
      this.serve();
    });
  }
}

function signsIn(bytes: Buffer): number {
  let signs = 0;
  for (const byte of bytes) signs += IS_SIGN[byte] ?? 0;
  return signs;
}

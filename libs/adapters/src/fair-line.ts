interface Place<T> {
  readonly ask: () => Promise<T>;
  readonly resolve: (answer: T | PromiseLike<T>) => void;
  readonly reject: (error: Error) => void;
}

/** One that is asked for, or waits to be. */
export interface Asked<T> {
  readonly answer: Promise<T>;
  /** Rejects the answer when it was not asked for yet; else nothing happens. */
  leave(): void;
}

/** A line for what can be done for few at a time: projects take turns in it, whoever needs no answer any more leaves. */
export class FairLine<T> {
  /** By project, in the order of their turns. */
  private readonly lines = new Map<string, Set<Place<T>>>();
  private underWay = 0;

  constructor(private readonly atOnce: number) {}

  enter(projectId: string, ask: () => Promise<T>): Asked<T> {
    let leave = (): void => undefined;
    const answer = new Promise<T>((resolve, reject) => {
      const place = { ask, resolve, reject };
      this.lines.set(projectId, (this.lines.get(projectId) ?? new Set()).add(place));
      leave = () => this.leave(projectId, place);
    });
    this.serve();
    return { answer, leave };
  }

  private serve(): void {
    while (this.underWay < this.atOnce) {
      const [turn] = this.lines;
      if (!turn) return;
      const [projectId, line] = turn;
      const [place] = line;
      this.lines.delete(projectId);
      if (!place) continue;
      line.delete(place);
      if (line.size > 0) this.lines.set(projectId, line);
      this.ask(place);
    }
  }

  private ask({ ask, resolve }: Place<T>): void {
    this.underWay++;
    const asked = ask();
    resolve(asked);
    const next = (): void => {
      this.underWay--;
      this.serve();
    };
    asked.then(next, next);
  }

  private leave(projectId: string, place: Place<T>): void {
    const line = this.lines.get(projectId);
    if (!line?.delete(place)) return;
    if (line.size === 0) this.lines.delete(projectId);
    place.reject(new Error('nobody waits for it any more'));
  }
}

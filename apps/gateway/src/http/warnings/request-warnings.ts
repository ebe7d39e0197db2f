/** Further lines are counted in one last line. */
export const MAX_LINES = 8;
export const MAX_LINE_LENGTH = 300;
/** Keeps out line breaks, and characters that clients decode differently. */
const NOT_PRINTABLE_ASCII = /[^ -~]/g;

/** Warnings about a request that is accepted but probably does not do what its client meant. */
export class RequestWarnings {
  private readonly kept: string[] = [];
  private added = 0;

  get count(): number {
    return this.added;
  }

  add(textOf: () => string): void {
    this.added += 1;
    if (this.kept.length < MAX_LINES) this.kept.push(line(textOf()));
  }

  /** The values of `Service-Warning`, one header line each, in printable ASCII. */
  get lines(): string[] {
    const more = this.added - this.kept.length;
    return more > 0 ? [...this.kept, `and ${more} more`] : [...this.kept];
  }
}

function line(text: string): string {
  const printable = text.replace(NOT_PRINTABLE_ASCII, '?');
  return printable.length > MAX_LINE_LENGTH ? `${printable.slice(0, MAX_LINE_LENGTH - 3)}...` : printable;
}

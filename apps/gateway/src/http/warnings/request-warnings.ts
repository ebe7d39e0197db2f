/** Told of a request, before a last line that counts those left out. */
export const MAX_LINES = 8;
export const MAX_LINE_LENGTH = 300;
/** Neither ends a header nor is read in another charset by some client. */
const NOT_PRINTABLE_ASCII = /[^ -~]/g;

/** What a request is warned of: it is taken, and will not do what it seems (api-contract §17.28). */
export class RequestWarnings {
  private readonly kept: string[] = [];
  private added = 0;

  get count(): number {
    return this.added;
  }

  /** Adds a line; its text is made only where there is room for it. */
  add(textOf: () => string): void {
    this.added += 1;
    if (this.kept.length < MAX_LINES) this.kept.push(line(textOf()));
  }

  /** The values of `Service-Warning`, one header line each, of printable ASCII characters. */
  get lines(): string[] {
    const more = this.added - this.kept.length;
    return more > 0 ? [...this.kept, `and ${more} more`] : [...this.kept];
  }
}

function line(text: string): string {
  const printable = text.replace(NOT_PRINTABLE_ASCII, '?');
  return printable.length > MAX_LINE_LENGTH ? `${printable.slice(0, MAX_LINE_LENGTH - 3)}...` : printable;
}

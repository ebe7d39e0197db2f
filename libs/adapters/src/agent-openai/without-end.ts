const MAX_TOKEN_LENGTH = 50;

/** Removes such tokens at the end. A single pattern would take quadratic time on much white space. */
export function withoutEnd(text: string, token: RegExp): string {
  let end = text.length;
  for (;;) {
    const trimmed = text.slice(0, end).trimEnd().length;
    const [found] = token.exec(text.slice(Math.max(0, trimmed - MAX_TOKEN_LENGTH), trimmed)) ?? [];
    if (found === undefined) return end === text.length ? text : text.slice(0, trimmed);
    end = trimmed - found.length;
  }
}

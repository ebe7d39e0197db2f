const MAX_TOKEN_LENGTH = 50;

/** The text without such tokens at its end. One pattern for all of them takes quadratic time in a text with much white space. */
export function withoutEnd(text: string, token: RegExp): string {
  let end = text.length;
  for (;;) {
    const trimmed = text.slice(0, end).trimEnd().length;
    const [found] = token.exec(text.slice(Math.max(0, trimmed - MAX_TOKEN_LENGTH), trimmed)) ?? [];
    if (found === undefined) return end === text.length ? text : text.slice(0, trimmed);
    end = trimmed - found.length;
  }
}

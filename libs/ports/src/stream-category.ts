/** The category of a stream `<category>-<id>`. */
export function streamCategory(stream: string): string {
  return stream.slice(0, Math.max(0, stream.indexOf('-')));
}

/** The id of a stream `<category>-<id>`. A category has no dash; an id may have some. */
export function idIn(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

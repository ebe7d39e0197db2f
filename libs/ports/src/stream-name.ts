/** The category of a stream `<category>-<id>`. */
export function categoryOf(stream: string): string {
  return stream.slice(0, Math.max(0, stream.indexOf('-')));
}

/** Whose a stream `<category>-<id>` is: categories hold no dash, ids may. */
export function idIn(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

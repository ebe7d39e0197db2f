const END = '<!-- The end of what it made. -->\n';

/** Replaces the generated part of the page, from the line that names its generator to the end. */
export function withMade(page, text, beginning) {
  const start = page.indexOf(beginning);
  const end = page.indexOf(END, start);
  if (start < 0 || end < 0) throw new Error(`The page does not say where this begins and ends: ${beginning}`);
  return `${page.slice(0, start)}${beginning}\n${text}\n${page.slice(end)}`;
}

/** Parses the stages of a Dockerfile, with comments and continued lines, but without here-documents and parser directives. */
export function stagesOf(text) {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const stages = [];
  for (const line of lines) {
    const [, keyword, argument] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? [];
    if (keyword === undefined) throw new Error(`cannot read the Dockerfile's line "${line}"`);
    const [image, , name = String(stages.length)] = argument.split(/\s+/);
    if (keyword === 'FROM') stages.push({ image, name, instructions: [] });
    else stages.at(-1).instructions.push({ keyword, argument });
  }
  return stages;
}

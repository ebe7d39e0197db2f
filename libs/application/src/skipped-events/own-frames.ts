const MAX_FRAMES = 10;
/** The function, and the file below the build. The folders above it are the machine's. */
const OWN = /^ +at (?:(?:async |new )*([\w$.<>#]+)[^(]*\()?.*\/((?:bundle|libs|apps)\/[\w@./-]+:\d+:\d+)\)?$/;

/** Where in this program an error was thrown, innermost first, without its message: that may quote what somebody said. */
export function ownFrames(error: unknown): readonly string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return [];
  const { stack, message } = error;
  const lines = stack.slice(Math.max(0, stack.indexOf(message)) + message.length).split('\n');
  return lines.flatMap(frameIn).slice(0, MAX_FRAMES);
}

function frameIn(line: string): readonly string[] {
  if (line.includes('/node_modules/')) return [];
  const [, name, place] = OWN.exec(line) ?? [];
  return place ? [name ? `${name} (${place})` : place] : [];
}

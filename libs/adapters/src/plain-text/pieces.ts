const INDENTED = /^[ \t]+\S/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

interface Block {
  readonly text: string;
  /** Whether cutting after it keeps the meaning. */
  readonly mayEnd: boolean;
}

function blocksOf(markdown: string): Block[] {
  let fence: string | null = null;
  return markdown.split(/(?<=\n)/).map((line, index, lines) => {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence)) fence = null;
    const goesOn = fence !== null || INDENTED.test(lines[index + 1] ?? '');
    return { text: line, mayEnd: !goesOn && line.trim() === '' };
  });
}

/**
 * Whether the text is expensive to parse: the cost per markup character and line grows with the length. A text with a quarter of markup
 * characters, or of nearly empty lines, is hostile or a drawing.
 */
export function isDense(text: string): boolean {
  const marks = text.match(/[-+*_~`[\]<|.):#=>]/g)?.length ?? 0;
  const lines = text.match(/\n/g)?.length ?? 0;
  return marks > text.length / 4 || marks + lines > text.length * 0.4;
}

function cutBefore(text: string, limit: number): number {
  const line = text.lastIndexOf('\n', limit - 1);
  if (line > limit / 2) return line + 1;
  const end = Math.max(text.lastIndexOf(' ', limit - 1), text.lastIndexOf('>', limit - 1));
  return end > limit / 2 ? end + 1 : limit;
}

function* cutHard(text: string, limit: number): Generator<string> {
  const hardLimit = isDense(text) ? limit / 4 : limit * 2;
  let rest = text;
  while (rest.length > hardLimit) {
    const cut = cutBefore(rest, hardLimit);
    yield rest.slice(0, cut);
    rest = rest.slice(cut);
  }
  yield rest;
}

/** Cuts at blank lines outside code. The parser is quadratic on hostile input, so no piece exceeds twice the limit, whatever its layout. */
export function piecesOf(markdown: string, limit: number): string[] {
  if (markdown.length <= limit) return [...cutHard(markdown, limit)];
  const pieces: string[] = [];
  let piece = '';
  for (const block of blocksOf(markdown)) {
    piece += block.text;
    if (block.mayEnd && piece.length >= limit / 2) {
      pieces.push(piece);
      piece = '';
    }
  }
  pieces.push(piece);
  return pieces.flatMap((whole) => [...cutHard(whole, limit)]);
}

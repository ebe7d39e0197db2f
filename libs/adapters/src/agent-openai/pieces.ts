import { argsOf } from './tool-call.js';
import { type Wire, isObject } from './wire.js';

type Call = Record<string, unknown>;

const MAX_PARSED = 8 * 1024;
const REPLACED = ['role', 'type', 'id', 'name'];

/** Applies a delta: strings and lists are continued, everything else is replaced. */
function extended(before: unknown, delta: unknown): unknown {
  if (typeof before === 'string' && typeof delta === 'string') return before + delta;
  if (Array.isArray(before) && Array.isArray(delta)) return [...(before as unknown[]), ...(delta as unknown[])];
  return delta ?? before;
}

export function mergedInto(target: Call, delta: Wire): void {
  for (const [key, value] of Object.entries(delta)) {
    // Prevents prototype pollution.
    if (key === '__proto__') continue;
    if (key === 'tool_calls' && Array.isArray(value)) target[key] = withPieces(target[key], value);
    else if (isObject(value) && isObject(target[key])) mergedInto(target[key] as Call, value);
    else target[key] = REPLACED.includes(key) ? value || target[key] : extended(target[key], value);
  }
}

/** Merges pieces into calls: each extends the call of its id, else of its index, else the last one, or begins another. */
export function withPieces(before: unknown, pieces: readonly unknown[]): unknown[] {
  const calls = Array.isArray(before) ? (before as Call[]) : [];
  for (const piece of pieces.filter(isObject)) {
    const open = callOfPiece(calls, piece);
    if (open === undefined || begins(piece, open)) calls.push(structuredClone(piece));
    else mergedInto(open, piece);
  }
  return calls;
}

function callOfPiece(calls: readonly Call[], piece: Wire): Call | undefined {
  const { id, index } = piece;
  const hasIndex = index !== undefined && index !== null;
  const byId = id ? calls.findLast((call) => call['id'] === id) : undefined;
  const byIndex = hasIndex ? calls.findLast((call) => call['index'] === index) : undefined;
  return byId ?? byIndex ?? (hasIndex && nameIn(piece) !== '' ? undefined : calls.at(-1));
}

/** Whether a piece begins a new call: another id and a name, another name, or arguments after complete ones. */
function begins(piece: Wire, open: Wire): boolean {
  const name = nameIn(piece);
  if (name === '') return false;
  if (piece['id'] && open['id'] && piece['id'] !== open['id']) return true;
  const [args, before] = [argumentsIn(piece), argumentsIn(open)];
  // Some servers repeat the name with each piece, a little longer.
  if (name !== nameIn(open)) return !isBlank(before) || !name.startsWith(nameIn(open));
  return !isBlank(args) && isWhole(before) && !/^\s*\{\s*\}\s*$/.test(String(before));
}

function isBlank(args: unknown): boolean {
  return args === undefined || args === null || (typeof args === 'string' && args.trim() === '');
}

/** Asked for every piece, so it parses only what may be complete. */
function isWhole(args: unknown): boolean {
  if (isBlank(args)) return false;
  const mayBe = typeof args !== 'string' || (args.length <= MAX_PARSED && args.trimEnd().endsWith('}'));
  return mayBe && argsOf(args) !== null;
}

function nameIn({ function: called }: Wire): string {
  const name = isObject(called) ? called['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

function argumentsIn({ function: called }: Wire): unknown {
  return isObject(called) ? called['arguments'] : undefined;
}

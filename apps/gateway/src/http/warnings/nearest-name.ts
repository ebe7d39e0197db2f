const MIN_LIKENESS = 0.35;

/** Null where no known name is similar enough. `startsAt` and `starts_at` are equal. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const pairs = pairsOf(snakeCase(name));
  let nearest: string | null = null;
  let most = MIN_LIKENESS;
  for (const each of known) {
    const likeness = likenessOf(pairs, pairsOf(each));
    if (likeness > most) [nearest, most] = [each, likeness];
  }
  return nearest;
}

/** Dice's coefficient of the letter pairs of two names, from 0 to 1. */
function likenessOf(one: readonly string[], other: readonly string[]): number {
  const left = [...other];
  let common = 0;
  for (const pair of one) {
    const at = left.indexOf(pair);
    if (at < 0) continue;
    left.splice(at, 1);
    common += 1;
  }
  return (2 * common) / (one.length + other.length || 1);
}

function pairsOf(name: string): string[] {
  return Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2));
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

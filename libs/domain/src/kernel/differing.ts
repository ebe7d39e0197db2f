export function differing<Change extends object>(present: object, change: Change): Change {
  const now = present as Record<string, unknown>;
  const fresh = Object.entries(change).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(now[name] ?? null),
  );
  return Object.fromEntries(fresh) as Change;
}

export function hasAny(changes: object): boolean {
  return Object.keys(changes).length > 0;
}

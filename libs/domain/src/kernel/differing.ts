/** The given members whose value differs from the present one. */
export function differing<Wanted extends object>(present: object, wanted: Wanted): Wanted {
  const now = present as Record<string, unknown>;
  const fresh = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(now[name] ?? null),
  );
  return Object.fromEntries(fresh) as Wanted;
}

export function hasAny(changes: object): boolean {
  return Object.keys(changes).length > 0;
}

/** Shares of similar size. Operations of one resource stay together, because they use each other's results. */
export function sharesOf(operations, count) {
  const groups = new Map();
  for (const operation of operations) {
    const [, , resource] = operation.split('/');
    groups.set(resource, [...(groups.get(resource) ?? []), operation]);
  }
  const shares = Array.from({ length: count }, () => []);
  for (const group of [...groups.values()].sort((one, other) => other.length - one.length)) {
    shares.sort((one, other) => one.length - other.length)[0].push(...group);
  }
  return shares.filter(({ length }) => length > 0);
}
